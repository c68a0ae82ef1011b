"""Event files are read back by TensorBoard's own reader."""

from __future__ import annotations

from trainer.learning.events import FOLDER, Curves


def read_back(folder):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    reader = EventAccumulator(str(folder / FOLDER)).Reload()
    return {
        name: [(point.step, round(point.value, 4)) for point in reader.Scalars(name)]
        for name in reader.Tags()["scalars"]
    }


def test_numbers_and_dev_scores_become_curves(tmp_path):
    events = Curves(tmp_path)
    events.add({"step": 50, "epoch": 1, "loss": 2.5, "learning_rate": 1e-3}, 50)
    events.add({"step": 300, "epoch": 2, "loss": 1.25, "bad": "s1"}, 300)
    events.add({"epoch": 2, "dev": {"own/dev.txt": 0.5}}, 310)
    assert read_back(tmp_path) == {
        "train/loss": [(50, 2.5), (300, 1.25)],
        "train/learning_rate": [(50, 0.001)],
        "dev/own/dev.txt": [(310, 0.5)],
    }


def test_steps_done_again_after_a_kill_replace_the_earlier_points(tmp_path):
    first = Curves(tmp_path)
    for step in (50, 100, 150):
        first.add({"loss": 3.0}, step)
    second = Curves(tmp_path)
    second.add({"loss": 2.0}, 100)
    assert read_back(tmp_path)["train/loss"] == [(50, 3.0), (100, 2.0)]
