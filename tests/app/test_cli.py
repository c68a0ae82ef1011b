"""The command line: exit status, what goes to which stream, and what the JSON holds."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands import console
from app.commands.parse import Request, sentences_of
from app.commands.trace import read_prefix
from aptcore.errors import ActionFormatError, ConfigurationError, FormatError
from aptcore.graph.checks import is_connected
from aptcore.graph.corpus import read_corpus
from aptcore.graph.penman import format_penman
from aptcore.transition.arcs import LeftArc
from aptcore.transition.building import repaired_graph
from aptcore.transition.items import Pred
from aptcore.transition.machine import replay
from aptcore.transition.moves import Reduce
from aptcore.transition.sets import action_set_named, parse_action
from aptcore.words.tokens import sentence_from_tokens
from trainer.config import CONFIGS, load_config

ROOT = Path(__file__).resolve().parents[2]

WANT = """# ::id w
# ::snt The boy wants to go .
(w / want-01
   :ARG0 (b / boy)
   :ARG1 (g / go-02
      :ARG0 b))
"""

BROKEN = WANT + "\n# ::id x\n# ::snt She left .\n(l / leave-01 :ARG0 (s / she)\n"


class Outcome:
    """What one call of ``aptamr`` left behind."""

    def __init__(self, status: int, output: str, messages: str) -> None:
        self.status = status
        self.output = output
        self.messages = messages

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.output)


@pytest.fixture
def aptamr(capsys: pytest.CaptureFixture[str]):
    """Run ``aptamr`` with arguments in this process."""

    def run(*arguments: str | Path) -> Outcome:
        with pytest.raises(SystemExit) as exit_info:
            main([str(argument) for argument in arguments])
        code = exit_info.value.code
        captured = capsys.readouterr()
        return Outcome(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / "gold.amr"
    path.write_text(WANT, encoding="utf-8")
    return path


def give_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content), encoding="utf-8"))


def test_version_is_a_result(aptamr) -> None:
    outcome = aptamr("--version")
    assert (outcome.status, outcome.output) == (0, "aptamr 0.1.0\n")


def test_the_module_of_the_command_line_runs_it() -> None:
    command = [sys.executable, "-m", "app.cli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "aptamr 0.1.0\n"


def test_parse_names_sentences_and_tells_how_far_it_is(
    aptamr, tmp_path: Path, untrained_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.commands.parse.AHEAD", 2)
    path = tmp_path / "five.txt"
    path.write_text("She left.\n...\nIt rains.\nHe sleeps.\nThey sing.\n", encoding="utf-8")
    outcome = aptamr("parse", "--input", path, "--model", untrained_model, "--beam", "1", "--json")
    ids = [json.loads(line)["id"] for line in outcome.output.splitlines()]
    assert (outcome.status, ids) == (1, ["1", "2", "3", "4", "5"])
    told = [line for line in outcome.messages.splitlines() if line.endswith(" of 5 sentences")]
    assert told == ["2 of 5 sentences", "4 of 5 sentences", "5 of 5 sentences"]


def test_parse_does_not_write_over_its_input(aptamr, gold_file: Path) -> None:
    outcome = aptamr("parse", "--input", gold_file, "--output", gold_file)
    assert (outcome.status, gold_file.read_text("utf-8")) == (2, WANT)
    assert "is the input" in outcome.messages


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["parse"],
        ["parse", "-", "--input", "-"],
        ["parse", "Go .", "--beam", "0"],
        ["parse", "Go .", "--device", "tpu"],
        ["parse", "--input", "no/such/file"],
        ["parse", "Go .", "--model", "no/such/folder"],
        ["trace", "Go .", "--prefix", "REDUCE"],
        ["trace", "Go .", "--prefix", '{"actions": []}'],
        ["trace", "Go .", "--prefix", '["JUMP"]'],
        ["trace", "Go .", "--prefix", "@no/such/file"],
        ["oracle"],
        ["oracle", "no/such/file"],
        ["oracle", "no/such/file", "--variant", "none"],
        ["align", "no/such/file"],
        ["align", "no/such/file", "--output", "-"],
        ["evaluate", "no/such/file"],
        ["evaluate", "no/such/file", "no/such/file"],
        ["evaluate", "a", "b", "--scorer", "bleu"],
        ["train"],
        ["train", "no/such/config"],
        ["app", "--port", "0"],
        ["app", "--model", "no/such/folder"],
        ["app", "--roles", "no/such/file"],
        ["app", "--lessons", "no/such/folder"],
        ["app", "--store", "no/such/folder/work.db"],
        ["app", "--store", "mysql://host/work"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_told_on_standard_error_with_status_2(aptamr, arguments: list[str]) -> None:
    outcome = aptamr(*arguments)
    assert outcome.status == 2
    assert outcome.output == ""
    assert outcome.messages
    assert "Traceback" not in outcome.messages


def test_help_says_how_to_repeat_an_option(aptamr) -> None:
    assert "Repeat it for an ensemble" in " ".join(aptamr("parse", "--help").output.split())


def test_oracle_json_has_the_promised_keys_and_stands_alone(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--json")
    assert outcome.status == 0
    assert list(outcome.json) == [
        "sentences",
        "tokens",
        "actions",
        "actions_per_sentence",
        "actions_per_token",
        "smatch",
        "exact",
        "copy_share",
        "labels",
        "labels_once",
        "unseen",
        "unreachable",
        "seconds",
    ]
    assert outcome.json["smatch"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert (outcome.json["tokens"], outcome.json["actions"]) == (6, 13)
    assert outcome.json["unseen"] is None


def test_oracle_counts_labels_that_the_vocabulary_lacks(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--vocabulary-from", gold_file, "--json")
    assert outcome.json["unseen"] == 0


def test_several_files_are_one_corpus(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, gold_file, "--json")
    assert outcome.json["sentences"] == 2


def test_a_broken_graph_is_counted_and_the_rest_is_done(aptamr, tmp_path: Path) -> None:
    path = tmp_path / "broken.amr"
    path.write_text(BROKEN, encoding="utf-8")
    outcome = aptamr("oracle", path, "--json")
    assert outcome.status == 1
    assert outcome.json["sentences"] == 1
    assert f"{path}:" in outcome.messages


def test_oracle_reads_standard_input(aptamr, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, WANT.encode())
    assert aptamr("oracle", "-", "--json").json["sentences"] == 1


def test_oracle_without_json_is_a_table(aptamr, gold_file: Path) -> None:
    outcome = aptamr("oracle", gold_file, "--variant", "far-first")
    assert "far-first" in outcome.output
    assert "1.0000 (precision 1.0000, recall 1.0000)" in outcome.output


def test_a_prefix_is_read_from_json_and_from_a_file(tmp_path: Path) -> None:
    text = '["REDUCE", "PRED(boy)", "LA(1, :ARG0)"]'
    path = tmp_path / "prefix.json"
    path.write_text(text, encoding="utf-8")
    expected = (Reduce(), Pred("boy"), LeftArc(1, ":ARG0"))
    assert read_prefix(text) == read_prefix(f"@{path}") == expected


def test_an_unknown_action_in_a_prefix_is_named() -> None:
    with pytest.raises(ActionFormatError, match="JUMP"):
        read_prefix('["JUMP"]')


def test_lines_end_at_the_three_line_ends_only(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes("one\u2028still one\r\n\r\nthree\rfour\n".encode())
    found = [text for _, text in console.read_sentences([path])[0]]
    assert found == ["one\u2028still one", "", "three", "four"]


def test_a_file_to_parse_is_read_by_its_format(tmp_path: Path) -> None:
    graphs, objects = tmp_path / "gold.amr", tmp_path / "own.jsonl"
    graphs.write_text(
        "# ::id a.1\n# ::snt It rains .\n(r / rain-01)\n\n# ::snt Go !\n(g / go-02)\n"
    )
    objects.write_text('{"id": "b.1", "sentence": "It rains ."}\n\n{"amr": "(g / go-02)"}\n')
    for path, wanted in (
        (graphs, [("a.1", "It rains ."), ("2", "Go !")]),
        (objects, [("b.1", "It rains ."), ("2", "")]),
    ):
        assert sentences_of(Request((), path, None, (), 1, False)) == (wanted, 0)


def test_a_format_that_is_not_known_is_refused_before_anything_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "headless.txt"
    path.write_text("95 :ARG0 (p / person)\n")
    with pytest.raises(FormatError, match="part of a graph"):
        sentences_of(Request((), path, None, (), 1, False))


def test_bytes_that_are_not_utf8_are_told_with_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes(b"one\ncaf\xe9\n")
    assert [text for _, text in console.read_sentences([path])[0]] == ["one", "caf\ufffd"]
    assert f"{path}:2" in capsys.readouterr().err


def test_an_absent_cuda_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    console.say_device("cuda", "cpu")
    assert "CUDA was asked for and is absent" in capsys.readouterr().err


SENTENCES = [
    "The boy wants to go.",
    "",
    'She left; \u00ab caf\u00e9 \u00bb :-) (a / b) "quoted" http://x.org/?a=b#c :ARG0',
    "?!",
    "It cost 2 dollars.",
]


@pytest.fixture
def parse(aptamr, untrained_model: Path):
    """Run ``aptamr parse`` with the untrained model."""

    def run(*arguments: str | Path) -> Outcome:
        options = ("--model", untrained_model, "--beam", "2", "--device", "cpu")
        return aptamr("parse", *arguments, *options)

    return run


@pytest.fixture
def sentence_file(tmp_path: Path) -> Path:
    path = tmp_path / "sentences.txt"
    path.write_text("".join(sentence + "\n" for sentence in SENTENCES), encoding="utf-8")
    return path


def test_parse_writes_one_block_a_line_in_order(parse, sentence_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "graphs.amr"
    outcome = parse("--input", sentence_file, "--output", output)
    assert outcome.output == ""
    corpus = read_corpus(output)
    assert [record.id for record in corpus.records] == ["1", "2", "3", "4", "5"]
    assert [record.metadata["snt"] for record in corpus.records] == SENTENCES
    assert all(record.graph and is_connected(record.graph) for record in corpus.records)


def test_several_sentences_in_a_line_are_told_and_split_where_asked(
    parse, cases, tmp_path: Path
) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(cases["c74"]["input"]["sentences"]), encoding="utf-8")
    together = parse("--input", path)
    assert "sentence 1 looks like 2 sentences" in together.messages
    assert "sentence 2 looks like German" in together.messages
    assert "--split" in together.messages
    records = read_corpus("output", text=together.output).records
    assert [record.id for record in records] == ["1", "2", "3"]
    split = parse("--input", path, "--split")
    records = read_corpus("output", text=split.output).records
    assert [record.id for record in records] == ["1.1", "1.2", "2", "3"]
    parts = [text for texts in cases["c74"]["expected"]["split"] for text in texts]
    assert [record.metadata["snt"] for record in records] == parts
    assert "looks like 2 sentences" not in split.messages


def test_a_failed_line_keeps_its_place_and_gives_status_1(parse, sentence_file: Path) -> None:
    outcome = parse("--input", sentence_file)
    assert outcome.status == 1
    assert "5 sentences, 2 failed" in outcome.messages
    records = read_corpus("output", text=outcome.output).records
    failed = [record for record in records if "error" in record.metadata]
    assert [record.id for record in failed] == ["2", "4"]
    assert all(format_penman(r.graph, metadata=False) == "(a / amr-empty)" for r in failed)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "the file is a picture, not text"),
        ("It rains.\n".encode("utf-16"), "the file is in UTF-16; save it as UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_refused_before_the_parser_reads_it(
    parse, tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(content)
    outcome = parse("--input", path)
    assert (outcome.status, outcome.output) == (2, "")
    assert reason in outcome.messages


def test_a_parse_block_holds_tokens_and_alignments_that_read_back(parse) -> None:
    outcome = parse(SENTENCES[0])
    assert outcome.status == 0
    (record,) = read_corpus("output", text=outcome.output).records
    assert not record.problems
    assert record.metadata["tok"] == "The boy wants to go ."
    assert {node.id for node in record.graph.nodes} <= set(record.graph.alignments)


def test_parse_json_has_the_promised_keys_one_object_a_line(parse) -> None:
    outcome = parse(SENTENCES[0], "?!", "--json")
    assert outcome.status == 1
    good, failed = (json.loads(line) for line in outcome.output.splitlines())
    keys = ["id", "tokens", "penman", "alignments", "actions", "log_prob", "repairs", "error"]
    assert list(good) == list(failed) == keys
    assert good["error"] is None
    assert good["log_prob"] < 0
    assert good["tokens"] == ["The", "boy", "wants", "to", "go", "."]
    assert failed["penman"] == "(a / amr-empty)"
    assert "no words" in failed["error"]


def test_the_actions_that_parse_gives_replay_to_its_graph(parse, untrained_model: Path) -> None:
    result = parse(SENTENCES[0], "--json").json
    sentence = sentence_from_tokens(result["tokens"])
    settings = json.loads((untrained_model / "parser.json").read_text())
    actions = map(parse_action, result["actions"])
    graph, _ = repaired_graph(replay(sentence, actions, action_set_named(settings["action_set"])))
    assert format_penman(graph, metadata=False) == result["penman"]


def test_parse_reads_lines_of_standard_input(parse, monkeypatch: pytest.MonkeyPatch) -> None:
    give_stdin(monkeypatch, b"One word\r\nTwo words")
    outcome = parse("-")
    records = read_corpus("output", text=outcome.output).records
    assert [record.metadata["snt"] for record in records] == ["One word", "Two words"]


def test_the_device_in_use_is_told(parse) -> None:
    assert "device: cpu" in parse("Go .").messages


def test_an_output_that_cannot_be_written_is_told(parse, tmp_path: Path) -> None:
    assert parse("Go .", "--output", tmp_path / "absent" / "file").status == 2


def test_trace_gives_one_json_object_under_a_forced_prefix(aptamr, untrained_model: Path) -> None:
    options = ("--model", untrained_model, "--beam", "1")
    outcome = aptamr("trace", "The boy left.", "--prefix", '["REDUCE", "PRED(boy)"]', *options)
    assert outcome.status == 0
    assert outcome.json["schema"] == 1
    assert outcome.json["prefix_length"] == 2
    assert [step["action"] for step in outcome.json["steps"][:2]] == ["REDUCE", "PRED(boy)"]
    assert [step["forced"] for step in outcome.json["steps"][:3]] == [True, True, False]


@pytest.mark.parametrize(("text", "prefix"), [("Go .", '["SHIFT"]'), ("?!", "[]")])
def test_a_trace_that_cannot_be_is_an_error(
    aptamr, untrained_model: Path, text: str, prefix: str
) -> None:
    outcome = aptamr("trace", text, "--prefix", prefix, "--model", untrained_model)
    assert outcome.status == 2
    assert outcome.output == ""
    assert "error: " in outcome.messages


def test_evaluate_json_has_the_promised_keys(aptamr, gold_file: Path) -> None:
    outcome = aptamr("evaluate", gold_file, gold_file, "--json", "--fine-grained")
    assert outcome.status == 0
    assert outcome.json["smatch"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert (outcome.json["sentences"], outcome.json["failed"]) == (1, 0)
    assert outcome.json["scorer"] == "exact"
    assert {"interval", "unlabeled", "no_wsd", "concepts", "named_entities", "negation"} < set(
        outcome.json
    )
    assert {"wikification", "reentrancies", "srl"} < set(outcome.json)


def test_evaluate_counts_a_failed_prediction_as_nothing_found(aptamr, tmp_path: Path) -> None:
    gold, predicted = tmp_path / "gold.amr", tmp_path / "predicted.amr"
    gold.write_text(WANT + "\n" + WANT.replace("::id w", "::id v"), encoding="utf-8")
    failed = "# ::id v\n# ::snt The boy wants to go .\n# ::error no\n(a / amr-empty)\n"
    predicted.write_text(WANT + "\n" + failed, encoding="utf-8")
    outcome = aptamr("evaluate", gold, predicted, "--scorer", "smatch", "--json")
    assert outcome.status == 1
    assert outcome.json["failed"] == 1
    assert outcome.json["smatch"] == {"precision": 1.0, "recall": 0.5, "f1": pytest.approx(2 / 3)}


def test_evaluate_refuses_files_of_different_length(
    aptamr, gold_file: Path, tmp_path: Path
) -> None:
    longer = tmp_path / "longer.amr"
    longer.write_text(WANT + "\n" + WANT, encoding="utf-8")
    outcome = aptamr("evaluate", gold_file, longer)
    assert outcome.status == 2
    assert "1 gold graphs, but 2 predictions" in outcome.messages


def test_evaluate_warns_when_the_sentences_differ(aptamr, gold_file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.amr"
    other.write_text(WANT.replace("boy wants", "girl wants"), encoding="utf-8")
    assert "1 pairs are of different sentences" in aptamr("evaluate", gold_file, other).messages


def test_evaluate_without_json_says_what_became_of_wiki(aptamr, gold_file: Path) -> None:
    assert "left out (0)" in aptamr("evaluate", gold_file, gold_file).output
    assert "counted" in aptamr("evaluate", gold_file, gold_file, "--wiki").output


def test_align_writes_every_alignment_with_its_source(
    aptamr, gold_file: Path, tmp_path: Path
) -> None:
    output = tmp_path / "aligned.amr"
    outcome = aptamr("align", gold_file, "--output", output, "--json")
    assert outcome.status == 0
    assert (outcome.json["sentences"], outcome.json["nodes"]) == (1, 3)
    (record,) = read_corpus(output).records
    assert not record.problems
    assert record.metadata["tok"] == "The boy wants to go ."
    assert record.metadata["alignments"] == "1-1.1 2-1 4-1.2"
    assert record.metadata["alignment-sources"] == "1=rule 1.1=rule 1.2=rule"


def test_align_keeps_a_broken_record_as_it_was(aptamr, tmp_path: Path) -> None:
    path, output = tmp_path / "broken.amr", tmp_path / "aligned.amr"
    path.write_text(BROKEN, encoding="utf-8")
    outcome = aptamr("align", path, "--output", output)
    assert outcome.status == 1
    assert output.read_text(encoding="utf-8").endswith(BROKEN.removeprefix(WANT))


def test_align_writes_several_files_as_one_corpus(aptamr, gold_file: Path) -> None:
    outcome = aptamr("align", gold_file, gold_file, "--output", "-", "--from-scratch")
    assert len(read_corpus("output", text=outcome.output).records) == 2


def test_align_cannot_give_corpus_and_json_on_one_stream(aptamr, gold_file: Path) -> None:
    assert aptamr("align", gold_file, "--output", "-", "--json").status == 2


def test_every_field_of_a_trace_is_documented(aptamr, untrained_model: Path) -> None:
    trace = aptamr("trace", "The boy left.", "--model", untrained_model, "--beam", "1").json
    fields = {*trace, *trace["steps"][0], *trace["model"], *trace["sentence"]}
    text = (ROOT / "docs" / "trace-format.md").read_text(encoding="utf-8")
    assert {name for name in fields if f"`{name}`" not in text} == set()


@pytest.fixture
def leamr_file(tmp_path: Path) -> Path:
    """Gold alignments in which the boy stands one token too early."""
    entries = [
        {"type": "subgraph", "tokens": [2], "nodes": ["1"], "edges": []},
        {"type": "subgraph", "tokens": [0, 1], "nodes": ["1.1"], "edges": []},
        {"type": "dupl-subgraph", "tokens": [5], "nodes": ["1.2"], "edges": []},
    ]
    path = tmp_path / "leamr.json"
    path.write_text(json.dumps({"w": entries, "absent": []}), encoding="utf-8")
    return path


def test_align_scores_against_gold_alignments(
    aptamr, gold_file: Path, leamr_file: Path, tmp_path: Path
) -> None:
    output = tmp_path / "aligned.amr"
    outcome = aptamr("align", gold_file, "--output", output, "--score", leamr_file, "--json")
    assert outcome.json == {
        "nodes": 2,
        "exact": 0.5,
        "partial": 0.5,
        "unmatched": {"nodes": 0, "exact": 0.0},
        "by_source": {"rule": {"nodes": 2, "exact": 0.5}},
    }


def test_align_scores_each_gold_file_apart(
    aptamr, gold_file: Path, leamr_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    gold_file.write_text(WANT + "\n" + WANT.replace("::id w", "::id v"), encoding="utf-8")
    entries = json.loads(leamr_file.read_text(encoding="utf-8"))
    other.write_text(json.dumps({"v": entries["w"][:1]}), encoding="utf-8")
    outcome = aptamr(
        *("align", gold_file, "--output", tmp_path / "aligned.amr", "--json"),
        *("--score", leamr_file, "--score", other),
    )
    parts = outcome.json["by_part"]
    assert {name: (part["nodes"], part["exact"]) for name, part in parts.items()} == {
        "leamr.json": (2, 0.5),
        "other.json": (1, 1.0),
    }
    assert outcome.json["nodes"] == 3


def test_align_refuses_gold_alignments_of_other_sentences(
    aptamr, gold_file: Path, leamr_file: Path, tmp_path: Path
) -> None:
    gold_file.write_text(WANT.replace("::id w", "::id v"), encoding="utf-8")
    arguments = ("align", gold_file, "--output", tmp_path / "out", "--score", leamr_file)
    assert "the ids differ" in aptamr(*arguments).messages


@pytest.fixture
def config_file(gold_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(
        f'name = "tiny"\noutput = "{tmp_path}/run"\n'
        f'[data]\ntrain = ["{gold_file}"]\ndev = ["{gold_file}"]\ncache = "{tmp_path}/cache"\n'
        "[oracle]\nmin_label_count = 1\n[loop]\nepochs = 1\nwarmup_steps = 1\n",
        encoding="utf-8",
    )
    return path


def test_train_makes_a_model_that_parse_can_read(aptamr, config_file: Path, tmp_path: Path) -> None:
    outcome = aptamr("train", config_file, "--set", "loop.seed=3", "--json")
    assert outcome.status == 0
    assert outcome.json["model"] == str(tmp_path / "run" / "model")
    assert "epoch 1" in outcome.messages
    options = ("--model", outcome.json["model"], "--beam", "1")
    assert aptamr("parse", "The boy wants to go .", *options).status == 0


def test_train_does_not_write_over_a_run(aptamr, config_file: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text("{}", encoding="utf-8")
    outcome = aptamr("train", config_file)
    assert outcome.status == 1
    assert "holds a run already" in outcome.messages


def test_a_resumed_run_goes_on_as_it_began(aptamr, config_file: Path, tmp_path: Path) -> None:
    config = load_config(config_file).to_json()
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_text(json.dumps(config), encoding="utf-8")
    resume = ("--resume", tmp_path / "run")
    assert "--set needs a new run" in aptamr("train", *resume, "--set", "loop.seed=3").messages
    outcome = aptamr("train", config_file, *resume, "--set", "loop.seed=3")
    assert outcome.status == 2
    assert "differs from the run" in outcome.messages


def test_a_misspelt_setting_is_refused_with_the_nearest_name(aptamr, config_file: Path) -> None:
    outcome = aptamr("train", config_file, "--set", "loop.epoch=3")
    assert outcome.status == 2
    assert "did you mean 'epochs'" in outcome.messages


def test_a_shipped_configuration_is_found_by_its_name() -> None:
    assert load_config(Path("small")) == load_config(CONFIGS / "small.toml")
    with pytest.raises(ConfigurationError, match="cannot read no-such"):
        load_config(Path("no-such"))


def test_output_follows_links_and_refuses_folders(aptamr, tmp_path: Path) -> None:
    real, link = tmp_path / "real.amr", tmp_path / "link.amr"
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    assert aptamr("parse", "It rains.", "--beam", "1", "--output", link).status == 0
    assert link.is_symlink()
    assert "# ::snt It rains." in real.read_text(encoding="utf-8")
    outcome = aptamr("parse", "It rains.", "--output", tmp_path)
    assert outcome.status == 2
    assert "cannot be a file" in outcome.messages
    assert not list(tmp_path.parent.glob("*.part"))


def test_output_to_a_device_is_written_through(aptamr, tmp_path: Path) -> None:
    assert aptamr("parse", "It rains.", "--beam", "1", "--output", "/dev/null").status == 0
    assert not Path("/dev/null").is_file()


@pytest.mark.parametrize(
    "prefix", ["[" * 5000, '["PRED(\\ud83d)"]', '["LA(' + "9" * 5000 + ', :ARG0)"]']
)
def test_prefixes_that_break_readers_are_bad_usage(aptamr, prefix: str) -> None:
    assert aptamr("trace", "It rains.", "--prefix", prefix).status == 2
