"""The Train page by AppTest, over folders of runs written by hand; no process is started."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.addresses.parse import Link
from app.engine import shared
from app.engine import worker as engine
from app.pages.train.watch import NO_SCORE
from app.store.log.operations import Request
from app.store.store import open_store
from aptcore.trace.trace import ModelInfo
from aptcore.transition.sets import PAPER
from tests.app.pages.parse.test_page import FakeParser, settle
from trainer.config import TrainConfig, load_config
from trainer.runs import launching
from trainer.runs.estimates import Estimate, estimate_folder, save_estimate
from trainer.runs.files import append_json_line, write_json
from trainer.runs.launching import check_wish, shipped_configs
from trainer.runs.processes import Process, own_process
from trainer.runs.status import (
    Announced,
    Announcement,
    Beat,
    announce,
    state_of,
    write_announcement,
    write_beat,
)

APP = Path(engine.__file__).resolve().parents[1]
TIMEOUT = 120
GONE = replace(own_process(), began="long-ago")


@pytest.fixture(autouse=True)
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, empty_caches: None) -> Path:
    """A folder of corpora that holds the files of the shipped configuration, all alike."""
    folder = tmp_path / "corpora"
    data = load_config(shipped_configs()["gold"]).data
    for name in (*data.train, *data.dev):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("# ::id 1\n# ::snt It rained .\n(r / rain-01)\n")
    monkeypatch.setenv("APTAMR_DATA", str(folder))
    monkeypatch.setenv("APTAMR_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(engine, "load_parser", FakeParser)
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders of runs whose process would have been started."""
    folders: list[Path] = []

    def start(folder: Path) -> None:
        folders.append(folder)
        write_announcement(folder, Announcement("queued", time.time(), own_process(), 1))

    monkeypatch.setattr(launching, "_start", start)
    return folders


def make_run(
    runs: Path,
    name: str,
    state: Announced,
    process: Process | None = None,
    *,
    step: int = 100,
    config: TrainConfig | None = None,
) -> Path:
    folder = runs / name
    folder.mkdir(parents=True)
    values = (config or load_config(shipped_configs()["gold"])).to_json()
    write_json(folder / "launch.json", {"time": time.time(), "config": values})
    write_announcement(folder, Announcement(state, time.time(), process or own_process()))
    write_beat(folder, Beat(time.time(), "training", step, 400, 2))
    (folder / "log.txt").write_text("first line\nlast line of the log\n")
    return folder


def measure(folder: Path, *, score: float | None) -> None:
    row = {"epoch": 1, "loss": 1.25, "learning_rate": 0.0005, "actions_per_second": 812.0}
    append_json_line(folder / "metrics.jsonl", {**row, "step": 50})
    if score is not None:
        append_json_line(folder / "metrics.jsonl", {"epoch": 1, "dev": {"x/dev.txt": score}})


def open_page(**parameters: str) -> AppTest:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    page.switch_page("pages/train/page.py")
    page.run()
    assert not page.exception
    return page


def said(page: AppTest) -> str:
    return "\n".join(
        element.value
        for kind in (page.markdown, page.caption, page.info, page.error, page.warning)
        for element in kind
    )


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def press(page: AppTest, label: str) -> AppTest:
    (button,) = [button for button in page.button if button.label == label]
    button.click()
    page.run()
    assert not page.exception
    return page


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def parameter(page: AppTest, name: str) -> str:
    value = page.query_params[name]
    return value if isinstance(value, str) else value[0]


def test_without_runs_the_page_leads_to_the_form() -> None:
    page = open_page()
    assert "There is no run in" in said(page)
    press(page, "Launch the first")
    assert page.text_input[0].value == "gold-1"


def test_a_launch_writes_the_run_and_shows_it(runs: Path, started: list[Path]) -> None:
    page = open_page(view="new")
    page.text_input[0].set_value("mine")
    (epochs,) = [field for field in page.number_input if field.label == "Epochs"]
    epochs.set_value(3)
    page.text_area[0].set_value("model.shapes=false")
    press(page, "Launch")
    assert started == [runs / "mine"]
    config = launching.launched_config(runs / "mine")
    assert (config.name, config.loop.epochs, config.model.shapes) == ("mine", 3, False)
    assert parameter(page, "run") == "mine"
    assert "**queued**" in said(page)


def test_a_second_click_on_launch_starts_nothing_more_and_leads_to_the_run(
    runs: Path, started: list[Path]
) -> None:
    page = open_page(view="new")
    page.text_input[0].set_value("mine")
    (launch,) = [button for button in page.button if button.label == "Launch"]
    launch.click().run()
    assert started == [runs / "mine"]
    assert parameter(page, "run") == "mine"
    page.query_params["view"] = "new"
    page.run()
    page.session_state["train_launches"].append("mine")  # since the form was drawn
    press(page, "Launch")
    assert started == [runs / "mine"]
    assert parameter(page, "run") == "mine"


def test_a_run_that_is_on_is_not_resumed_again_and_nothing_is_complained_of(
    runs: Path, started: list[Path]
) -> None:
    folder = make_run(runs, "stopped", "stopped")
    page = open_page(run="stopped")
    write_announcement(folder, Announcement("queued", time.time(), own_process(), 1))
    press(page, "Resume")  # which another browser pressed since
    assert not started
    assert not page.error


def test_the_files_to_train_on_are_chosen(corpora: Path, runs: Path, started: list[Path]) -> None:
    (corpora / "own").mkdir()
    (corpora / "own" / "mine.amr").write_text("# ::id 1\n# ::snt It rained .\n(r / rain-01)\n")
    page = open_page(view="new")
    picker = page.multiselect(key="train_corpora")
    assert picker.value == load_config(shipped_configs()["gold"]).data.train_names()
    assert "own/mine.amr" in picker.options
    picker.set_value(["own/mine.amr"])
    page.text_input[0].set_value("mine")
    press(page, "Launch")
    assert launching.launched_config(runs / "mine").data.train == ("own/mine.amr",)


def test_a_run_trains_on_what_was_accepted_in_the_store(
    corpora: Path, runs: Path, tmp_path: Path, started: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APTAMR_STORE", str(tmp_path / "work.db"))
    store = open_store(str(tmp_path / "work.db"))
    text = "# ::id {}\n# ::snt It rained .\n(r / rain-01)"
    store.import_text("rain.amr", "\n\n".join(text.format(n) for n in (1, 2, 3)))
    page = open_page(view="new")
    press(page, "Train on this store's accepted graphs")
    assert "no accepted sentence yet" in page.error[0].value
    for number in (1, 3):
        store.apply(number, "Ada", "t", Request("a", 0, {"do": "accept"}))
    press(page, "Train on this store's accepted graphs")
    (name,) = page.multiselect(key="train_corpora").value
    assert (corpora / name).read_text() == "\n\n".join(text.format(n) for n in (1, 3)) + "\n"
    assert "2 accepted sentences" in said(page)
    page.text_input[0].set_value("mine")
    press(page, "Launch")
    assert launching.launched_config(runs / "mine").data.train == (name,)
    store.close()


def test_a_second_start_is_refused_and_says_that_a_run_is_on(
    runs: Path, started: list[Path]
) -> None:
    """Case c32: start, go elsewhere, press start again, reload, stop."""
    page = press(open_page(view="new"), "Launch")
    page.query_params["view"] = "new"
    press(page.run(), "Launch")
    assert len(started) == 1
    assert "is on already" in page.error[0].value
    page = open_page(run="gold-1")
    assert "**queued**" in said(page)
    announce(runs / "gold-1", "running")
    press(page, "Stop")
    assert state_of(runs / "gold-1") == "stopping"
    announce(runs / "gold-1", "stopped")
    assert "**stopped**" in said(page.run())


def test_every_problem_is_named_before_the_launch(started: list[Path]) -> None:
    page = open_page(view="new")
    page.text_input[0].set_value("../mine")
    page.text_area[0].set_value('loop.epoch=3\ndata.train=["../../etc/hosts"]')
    press(page, "Launch")
    error = page.error[0].value
    assert "no name for a run" in error
    assert "did you mean" in error
    assert "leads out of the folder of corpora" in error
    assert not started
    assert page.text_area[0].value.startswith("loop.epoch=3")


def test_the_form_says_what_it_trains_on_and_which_run_is_on(runs: Path) -> None:
    make_run(runs, "other", "running")
    page = open_page(view="new")
    assert "**other** (running). One launched now waits" in said(page)
    assert page.expander[0].label == "The configuration names 11 training and 2 dev files"


def test_a_run_is_shown_with_its_figures_and_without_scores_it_has_not(runs: Path) -> None:
    folder = make_run(runs, "one", "running")
    page = open_page(run="one")
    assert "Nothing is measured yet" in said(page)
    assert "Best checkpoint: no score yet." in said(page)
    assert figures(page)["Loss per action"] == "none yet"
    measure(folder, score=None)
    page.run()
    assert figures(page)["Loss per action"] == "1.2500"
    assert figures(page)["Actions/s"] == "812"
    scores = [value for label, value in figures(page).items() if label.startswith("Smatch")]
    assert scores == [NO_SCORE, NO_SCORE]
    assert "Resume" not in labels(page)
    assert "last line of the log" in page.code[0].value


def test_a_dead_run_says_so_with_its_last_lines_and_can_be_resumed(
    runs: Path, started: list[Path]
) -> None:
    make_run(runs, "one", "running", GONE)
    page = open_page()
    assert "**dead** (failed): its process is gone" in said(page)
    assert page.expander[0].proto.expanded
    assert "last line of the log" in page.code[0].value
    press(page, "Resume")
    assert started == [runs / "one"]
    assert "**queued**" in said(page)


def test_a_failed_run_says_why(runs: Path) -> None:
    folder = make_run(runs, "one", "running")
    announce(folder, "failed", message="the loss was *not* finite")
    page = open_page(run="one")
    assert "the loss was \\*not\\* finite" in said(page)


@pytest.mark.parametrize("name", ["../one", "gone", "/etc/passwd", "a\0b"])
def test_an_address_shows_no_run_that_is_not_in_the_folder(runs: Path, name: str) -> None:
    make_run(runs, "one", "finished")
    page = open_page(run=name)
    assert len(page.error) == 1
    assert not page.metric


def test_two_runs_are_compared(runs: Path) -> None:
    config = load_config(shipped_configs()["gold"])
    loop = replace(config.loop, epochs=3)
    measure(make_run(runs, "one", "stopped"), score=0.5)
    make_run(runs, "two", "running", config=replace(config, loop=loop))
    page = open_page(view="compare", run="one", other="two")
    differing, outcome = (frame.value for frame in page.dataframe)
    assert differing.reset_index().to_dict("list") == {
        "setting": ["loop.epochs"],
        "one": [str(config.loop.epochs)],
        "two": ["3"],
    }
    assert tuple(outcome.loc["best epoch"]) == ("1", NO_SCORE)


def test_an_estimate_is_shown_as_one(runs: Path) -> None:
    page = open_page(view="new")
    wish = launching.Wish("gold-1", "gold")
    config, _ = check_wish(runs, wish)
    assert config is not None
    folder = estimate_folder(runs, config)
    folder.mkdir(parents=True)
    announce(folder, "finished")
    save_estimate(
        folder,
        Estimate(11, 11, 4, 900.0, 60.0, 200.0, 30.0, 5000.0, 4_000_000, 10**9, 10**8, False),
    )
    press(page, "Estimate time and memory")
    assert figures(page)["All of it"] == "≈ 83 min"
    assert "**Estimates** from 4 dry batches" in said(page)


def test_a_configuration_with_stages_is_launched_but_not_estimated(
    corpora: Path, runs: Path, started: list[Path]
) -> None:
    config = load_config(shipped_configs()["small"])
    sources = [config.of_stage(stage).annotate.sources for stage in config.stages]
    for name in (*config.data.silver, *itertools.chain(*sources)):
        (corpora / name).parent.mkdir(parents=True, exist_ok=True)
        (corpora / name).touch()
    page = open_page(view="new")
    page.selectbox[0].select("small").run()
    press(page, "Estimate time and memory")
    assert "trains several models in stages" in said(page)
    press(page, "Launch")
    assert started == [runs / "small-1"]
    assert launching.launched_config(runs / "small-1").stages == config.stages


def open_parse(**parameters: str) -> AppTest:
    page = AppTest.from_file(str(APP / "main.py"), default_timeout=TIMEOUT)
    for name, value in parameters.items():
        page.query_params[name] = value
    page.run()
    page.switch_page("pages/parse/page.py")
    page.run()
    assert not page.exception
    return page


class RunParser(FakeParser):
    info = ModelInfo("of-the-run", "0badcafe", "none", PAPER, "cpu", "float32")


def test_a_checkpoint_of_a_run_parses(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_run(runs, "one", "stopped")
    (folder / "best").mkdir()
    (folder / "best" / "parser.json").write_text("{}")
    loaded = []

    def load(path: str) -> RunParser:
        loaded.append(path)
        return RunParser()

    monkeypatch.setattr(engine, "load_model", load)
    page = settle(open_parse(run="one", checkpoint="best", sentence="It rains."))
    assert loaded == [str(folder / "best")]
    assert "hash 0badcafe" in said(page)
    assert "Sentences are parsed by the training run **one** (best)" in said(page)
    page.text_input(key="sentence").set_value("It snows.")
    page.button[0].click().run()
    page = settle(page)
    assert parameter(page, "run") == "one"
    assert "hash 0badcafe" in said(page)
    assert loaded == [str(folder / "best")]


@pytest.mark.parametrize("run", ["../one", "gone", "one"])
def test_a_run_without_that_checkpoint_parses_nothing(runs: Path, run: str) -> None:
    make_run(runs, "one", "stopped")
    page = open_parse(run=run, sentence="It rains.")
    assert len(page.error) == 1
    assert page.session_state["awaited"] is None


def test_no_more_than_two_models_of_runs_are_held(runs: Path) -> None:
    for name in ("one", "two", "three"):
        folder = make_run(runs, name, "stopped")
        (folder / "best").mkdir()
        (folder / "best" / "parser.json").write_text("{}")
    one, two, three = (shared.engine_of(Link(run=name)) for name in ("one", "two", "three"))
    assert shared.engine_of(Link(run="three")) is three
    assert shared.engine_of(Link(run="two")) is two
    assert shared.engine_of(Link(run="one")) is not one
    assert shared.engine_of(Link()) is shared.shared_engine()
