"""``aptamr annotate`` in bulk: streams, object storage, and what a kill in the middle leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from app.cli import main
from aptcore.graph.corpus import read_corpus
from tests.app.conftest import free_port

NUM_LINES, CHUNK = 150, 32
"""Five chunks, the last one short."""


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main(["annotate", *map(str, arguments), "--beam", "1", "--device", "cpu"])
    return int(left.value.code or 0)


def apart_of(output: Path) -> list[dict[str, str]]:
    path = output.with_name(output.name + ".apart.jsonl")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def ids_of(path: Path) -> list[str]:
    return [record.id for record in read_corpus(path).records]


@pytest.fixture
def options(untrained_model: Path) -> tuple[object, ...]:
    return ("--model", untrained_model, "--keep-detached")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """An S3 server of this machine, with a bucket."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address, deadline = f"http://127.0.0.1:{port}", time.monotonic() + 240
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/moto-api/", timeout=30).close()
                break
            except OSError:
                assert time.monotonic() < deadline
                assert server.poll() is None
                time.sleep(0.2)
        request = urllib.request.Request(f"{address}/texts", method="PUT")
        urllib.request.urlopen(request, timeout=60).close()
        yield address
    finally:
        server.kill()
        server.wait()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The bucket's address; the environment names the server as AWS's own tools want it."""
    settings = {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    return "s3://texts"


def put(address: str, content: bytes) -> None:
    from trainer.annotating import storage

    with storage.writing(address) as file:
        file.write(content)


def get(address: str) -> bytes:
    from trainer.annotating import storage

    with storage.reading(address) as file:
        return file.read()


def test_a_line_that_cannot_be_read_is_set_apart_and_the_rest_goes_on(
    tmp_path: Path, options: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "texts.jsonl", tmp_path / "silver.amr"
    lines = [
        '{"text": "She left."}', '{"id": "b", "text": "It ', '{"id": "c", "label": 1}', "",
        '{"id": "e", "text": ""}', "[1]", '{"sentence": "It rains.", "sid": "f"}',
    ]  # fmt: skip
    source.write_text("\n".join(lines), "utf-8")
    assert run(source, "--output", output, "--json", *options) == 1
    counts = json.loads(capsys.readouterr().out)
    assert (counts["sentences"], counts["unreadable"]) == (6, 4)
    assert ids_of(output) == ["1", "f"]  # without an id it is named by its line
    told = apart_of(output)
    assert [line["place"] for line in told] == [f"{source}:{n}" for n in (2, 3, 5, 6)]
    assert [line["text"] for line in told] == [lines[1], lines[2], lines[4], lines[5]]
    assert told[0]["reason"].startswith("the line is no JSON: Unterminated string")
    assert told[1]["reason"] == "the object has no sentence and no graph"
    assert [line["reason"] for line in told[2:]] == [
        "there is no sentence",
        "the line is no JSON object",
    ]


def test_blocks_and_objects_without_an_id_are_named_by_their_place(
    tmp_path: Path, options: tuple[object, ...]
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.amr").write_text(
        "# ::snt She left.\n(l / leave-11)\n\n# ::id x.2\n# ::snt It rains.\n(r / rain-01)\n"
    )
    (tmp_path / "in" / "b.jsonl").write_text('{"text": "She left."}\n')
    output = tmp_path / "silver.amr"
    assert run(tmp_path / "in" / "a.amr", "--output", output, *options) == 0
    assert ids_of(output) == ["1", "x.2"]
    assert run(tmp_path / "in", "--output", output, *options) == 0
    assert ids_of(output) == ["a.1", "x.2", "b.1"]
    assert not (tmp_path / "silver.amr.apart.jsonl").exists()


def test_parquet_is_read_and_a_missing_sentence_is_set_apart(
    tmp_path: Path, options: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    source, output = tmp_path / "texts.parquet", tmp_path / "silver.amr"
    columns = {
        "n": [1, 2, 3],
        "sentence": ["She left.", None, "It\nrains."],
        "id": ["a", None, "c"],
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), source)
    assert run(source, "--output", output, *options) == 1
    assert ids_of(output) == ["a", "c"]
    assert read_corpus(output).records[1].metadata["snt"] == "It rains."
    assert [(line["id"], line["reason"]) for line in apart_of(output)] == [
        ("2", "there is no sentence")
    ]
    pyarrow.parquet.write_table(pyarrow.table({"words": ["a"], "n": [1]}), source)
    assert run(source, "--output", output, *options) == 2
    assert (
        "without a column of sentences (snt, sent, sentence, text): its columns are words, n"
        in (capsys.readouterr().err)
    )
    source.write_bytes(source.read_bytes()[:-9])
    assert run(source, "--output", output, *options) == 2
    assert "the Parquet file cannot be read" in capsys.readouterr().err


def test_what_cannot_be_reached_is_told(
    tmp_path: Path, bucket: str, options: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "silver.amr"
    for address, told in {
        f"{bucket}/nothing.txt": "s3://texts/nothing.txt: there is no such file",
        "s3://no-such-bucket/a.txt": "s3://no-such-bucket/a.txt: ",
        "nonsense://a/b.txt": "nonsense://a/b.txt: Protocol not known: nonsense",
    }.items():
        assert run(address, "--output", output, *options) == 2
        assert told in capsys.readouterr().err
    source = tmp_path / "lines.txt"
    source.write_text("She left.\n")
    assert run(source, "--output", "s3://no-such-bucket/silver.amr", *options) == 2
    assert "s3://no-such-bucket/silver.amr" in capsys.readouterr().err


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of lines, two of them without words, and what the shipped model makes of them."""
    folder = tmp_path_factory.mktemp("whole")
    lines = [f"She saw {n} boats." for n in range(NUM_LINES)]
    lines[40] = lines[120] = "..."
    source = folder / "lines.txt"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    assert run(source, "--output", folder / "silver.amr") == 1
    return folder


def command_for(source: str, output: str, options: Sequence[object]) -> list[str]:
    """A command that annotates in small chunks."""
    code = f"from app.cli import main; from trainer.annotating import parts; parts.CHUNK = {CHUNK}"
    words = ["annotate", source, "--output", output, "--beam", "1", "--device", "cpu"]
    return [sys.executable, "-c", f"{code}; main()", *words, *map(str, options)]


def stopped(
    command: Sequence[str], parts: Callable[[], Collection[object]], stop: Callable[[int], None]
) -> tuple[int, str]:
    """Start a command and stop it when some chunks are done; gives its status and what it said."""
    own = ["env", "--default-signal=INT", *command]  # in the background a shell turns it off
    process = subprocess.Popen(own, stderr=subprocess.PIPE, start_new_session=True, text=True)
    deadline = time.monotonic() + 240
    try:
        while not parts():
            assert time.monotonic() < deadline
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.02)
    finally:
        stop(process.pid)
        _, said = process.communicate(timeout=240)
    return process.returncode, said


def killed_and_restarted(
    source: str,
    output: str,
    parts: Callable[[], Collection[object]],
    options: Sequence[object] = (),
) -> tuple[int, str]:
    """Annotate in a process that is killed when some chunks are done, then again to the end.

    Returns:
        How many chunks were done at the kill, and what the second run said.
    """
    command = command_for(source, output, options)
    stopped(command, parts, lambda pid: os.kill(pid, signal.SIGKILL))
    num_done = len(parts())
    again = subprocess.run(command, capture_output=True, check=False)
    assert again.returncode == 1, again.stderr  # two lines have no words
    return num_done, again.stderr.decode()


@pytest.mark.parametrize("engine", [("--processes", 2), ("--engine", "ray")], ids=["local", "ray"])
def test_killed_and_restarted_gives_what_an_undisturbed_run_gives(
    engine: tuple[object, ...], tmp_path: Path, whole: Path
) -> None:
    if "ray" in engine:
        pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    source, output = whole / "lines.txt", tmp_path / "silver.amr"
    parts = tmp_path / "silver.amr.parts"
    num_done, said = killed_and_restarted(
        str(source), str(output), lambda: list(parts.glob("*.json")), engine
    )
    assert 1 <= num_done < 5
    assert "going on after " in said
    assert output.read_bytes() == (whole / "silver.amr").read_bytes()
    assert apart_of(output) == apart_of(whole / "silver.amr")
    assert not parts.exists()


def test_control_c_says_that_the_same_command_goes_on_and_nothing_else(
    tmp_path: Path, whole: Path
) -> None:
    output = tmp_path / "silver.amr"
    command = command_for(str(whole / "lines.txt"), str(output), ("--processes", 2))
    parts = tmp_path / "silver.amr.parts"
    status, said = stopped(
        command, lambda: list(parts.glob("*.json")), lambda pid: os.killpg(pid, signal.SIGINT)
    )
    assert status == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    assert parts.is_dir()


def test_killed_and_restarted_on_object_storage_nothing_is_lost_or_repeated(
    bucket: str, whole: Path
) -> None:
    put(f"{bucket}/in/lines.txt", (whole / "lines.txt").read_bytes())
    output = f"{bucket}/out/silver.amr"

    def parts() -> set[str]:
        from trainer.annotating import storage

        return storage.make_folder(f"{output}.parts")

    num_done, said = killed_and_restarted(f"{bucket}/in/*.txt", output, parts)
    assert 1 <= num_done < 5
    assert "going on after " in said
    assert get(output) == (whole / "silver.amr").read_bytes()
    apart = [json.loads(line) for line in get(f"{output}.apart.jsonl").splitlines()]
    assert [(line["id"], line["place"]) for line in apart] == [
        ("41", "s3://texts/in/lines.txt:41"),
        ("121", "s3://texts/in/lines.txt:121"),
    ]
    assert not parts()
