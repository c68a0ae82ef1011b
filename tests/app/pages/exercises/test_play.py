"""What a learner does: answers, undo, runs, messages, addresses, and what is drawn."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from app.addresses.codec import format_link, parse_link
from app.addresses.exercises import ExerciseLink
from app.pages.exercises.drawing import NEVER, payload_of_play
from app.pages.exercises.feedback import what_is_needed, why_right, why_wrong
from app.pages.exercises.layout import lay_out_goal
from app.pages.exercises.offering import USUAL_ROLES, Page, exercise_of, name_of, offers_of
from app.pages.exercises.opening import link_of, pack_lesson, play_of, unpack_lesson
from app.pages.exercises.outbox import Answered, answer, read_messages
from app.pages.exercises.play import (
    act,
    begin,
    go,
    marks_of,
    restart,
    reveal,
    score_of,
    state_of,
)
from app.pages.exercises.run_on import entropy_at, run
from aptcore.errors import FormatError
from aptcore.oracle.right_actions import right_actions
from aptcore.transition.actions import Action, format_action
from aptcore.transition.machine import advance, is_legal
from aptcore.transition.moves import Shift
from aptcore.transition.sets import parse_action
from tests.app.lessons import BOY, WALK, lesson_of, played

AT_GO = WALK[:8]
"""The walk up to go-02, which still needs its two edges."""


def taken(play: Any) -> list[str]:
    return [format_action(each.action) for each in play.walk[: play.at]]


# --- answers ----------------------------------------------------------------------------


def test_a_right_answer_is_taken_and_explained() -> None:
    play = played("REDUCE")
    assert taken(play) == ["REDUCE"]
    assert play.notice is not None
    assert play.notice.kind == "right"
    assert play.notice.lines == ("“The” stands for nothing in the goal.",)


def test_what_would_have_been_right_as_well_is_told() -> None:
    notice = played("REDUCE", "PRED(boy)").notice
    assert notice is not None
    assert "Right as well: COPY(lemma) → boy." in notice.lines


def test_an_illegal_answer_is_told_what_the_goal_needs_and_counts() -> None:
    play = played("REDUCE", "SHIFT")
    assert taken(play) == ["REDUCE"]
    assert play.notice is not None
    assert (play.notice.kind, play.notice.title) == ("illegal", "SHIFT is not possible here.")
    assert play.notice.lines == (
        "Nothing was made at this token.",
        "Make boy first: “boy” stands for it.",
    )
    assert score_of(play) == (1, 2)
    assert score_of(act(play, "COPY(lemma)")) == (1, 2)


@pytest.mark.parametrize(
    ("feedback", "lines"),
    [
        ("step", ("Nothing was made at this token.",)),
        ("none", ("Nothing was made at this token.",)),
    ],
)
def test_an_illegal_answer_tells_nothing_of_the_goal_where_little_is_told(
    feedback: str, lines: tuple[str, ...]
) -> None:
    notice = played("SHIFT", feedback=feedback).notice
    assert notice is not None
    assert notice.lines == lines


def test_an_illegal_guess_is_a_wrong_guess() -> None:
    play = played("SHIFT", mode="predict")
    assert (taken(play), score_of(play)) == ([], (0, 1))
    assert play.notice is not None
    assert (play.notice.kind, play.notice.title) == ("wrong", "SHIFT is not possible here.")
    assert play.notice.lines[1] == "Right is REDUCE: “The” stands for nothing in the goal."
    guessed = played("PRED(boy)", mode="predict").notice
    assert guessed is not None
    assert guessed.lines == ("“The” stands for nothing in the goal: skip it with REDUCE.",)
    test = played("SHIFT", mode="predict", feedback="percentage")
    assert (taken(test), score_of(test)) == (["REDUCE"], (0, 1))


def test_what_cannot_be_read_and_what_comes_after_the_end_do_not_count() -> None:
    assert score_of(played("jump")) == (0, 0)
    for mode in ("build", "predict"):
        play = played(*WALK, "SHIFT", mode=mode)
        assert play.notice is not None
        assert (play.notice.kind, play.notice.title) == ("done", "Done: this is the goal.")
        assert score_of(play) == (13, 13)


def test_the_end_is_told_again_after_undo_and_redo() -> None:
    play = go(go(played(*WALK), 3), len(WALK))
    assert play.notice is not None
    assert play.notice.kind == "done"


def test_what_cannot_be_read_is_answered_so() -> None:
    play = played("jump")
    assert play.notice is not None
    assert play.notice.title == "That cannot be read."
    assert "JUMP" in play.notice.lines[0]


def test_building_takes_a_wrong_action_and_says_why_it_leads_astray() -> None:
    play = played("REDUCE", "PRED(girl)")
    assert taken(play) == ["REDUCE", "PRED(girl)"]
    assert play.notice is not None
    assert play.notice.kind == "wrong"
    assert play.notice.lines[0] == "The goal has no girl."


def test_guessing_does_not_take_a_wrong_action_and_shows_the_right_ones() -> None:
    play = played("REDUCE", "PRED(girl)", mode="predict")
    assert taken(play) == ["REDUCE"]
    assert play.notice is not None
    told = " ".join(play.notice.lines)
    assert "Right is COPY(lemma)" in told
    assert "Right is PRED(boy)" in told


def test_another_right_order_is_right() -> None:
    play = played(*AT_GO, "LA(1, :ARG0)", mode="predict")
    assert play.notice is not None
    assert play.notice.kind == "right"
    assert taken(act(play, "RA(3, :ARG1)"))[-2:] == ["LA(1, :ARG0)", "RA(3, :ARG1)"]


def test_the_whole_walk_is_done_and_scored() -> None:
    play = played(*WALK, closing="You did it.")
    assert play.notice is not None
    assert (play.notice.kind, play.notice.title) == ("done", "Done: this is the goal.")
    assert play.notice.lines[-2:] == ("You did it.", "13 of 13 right at once (100 %).")


def test_a_finished_graph_that_is_not_the_goal_is_called_so() -> None:
    play = played(*WALK[:-1], "ROOT(1)")
    assert play.notice is not None
    assert play.notice.kind == "wrong"
    assert play.notice.title == "The graph is finished, but it is not the goal."
    assert play.notice.lines[0] == "The goal is mainly about want-01, not boy."


@pytest.mark.parametrize("feedback", ["percentage", "none"])
def test_without_words_a_wrong_guess_is_replaced_and_nothing_is_told(feedback: str) -> None:
    play = played("MERGE", mode="predict", feedback=feedback)
    assert taken(play) == ["REDUCE"]
    assert play.notice is not None
    assert (play.notice.kind, play.notice.lines) == ("note", ())
    good = played("REDUCE", mode="predict", feedback=feedback)
    assert good.notice is not None
    assert good.notice.kind == "note"


def test_a_percentage_comes_at_the_end_alone() -> None:
    play = played("MERGE", *WALK[1:], mode="predict", feedback="percentage")
    assert play.notice is not None
    assert play.notice.lines == ("12 of 13 right at once (92 %).",)
    assert exercise_of(play, offers_of(play.lesson), Page())["score"] is None


def test_without_feedback_the_end_tells_nothing() -> None:
    play = played(*WALK, mode="predict", feedback="none")
    assert play.notice is not None
    assert (play.notice.title, play.notice.lines) == ("The graph is finished.", ())


def test_step_feedback_says_right_or_wrong_and_no_more() -> None:
    play = played("MERGE", mode="predict", feedback="step")
    assert play.notice is not None
    assert "REDUCE" not in " ".join(play.notice.lines)
    right = act(play, "REDUCE").notice
    assert right is not None
    assert (right.kind, right.lines) == ("right", ())


def test_only_the_first_answer_at_a_moment_counts() -> None:
    play = act(act(played(mode="predict"), "MERGE"), "REDUCE")
    assert score_of(play) == (0, 1)
    again = act(go(play, 0), "REDUCE")
    assert score_of(again) == (0, 1)


def test_showing_takes_a_right_action_and_counts_as_missed() -> None:
    play = reveal(played())
    assert taken(play) == ["REDUCE"]
    assert score_of(play) == (0, 1)
    lost = reveal(played("PRED(girl)"))
    assert lost.notice is not None
    assert lost.notice.title == "From here the goal cannot be reached."


# --- back and forth -----------------------------------------------------------------------


def test_undo_goes_back_without_limit_and_redo_forth() -> None:
    play = played(*WALK)
    for _ in WALK:
        play = go(play, play.at - 1)
    assert (taken(play), go(play, -1).at) == ([], 0)
    assert taken(go(play, len(WALK))) == list(WALK)
    assert go(play, 99).at == len(WALK)


def test_the_same_action_after_undo_keeps_what_came_after_it() -> None:
    play = act(go(played("REDUCE", "COPY(lemma)", "SHIFT"), 0), "REDUCE")
    assert (play.at, len(play.walk)) == (1, 3)


def test_another_action_after_undo_forgets_what_came_after_it() -> None:
    play = act(go(played("REDUCE", "COPY(lemma)", "SHIFT"), 1), "PRED(boy)")
    assert (play.at, len(play.walk)) == (2, 2)


def test_starting_again_forgets_everything() -> None:
    play = restart(played("MERGE"))
    assert (play.walk, play.at, score_of(play)) == ((), 0, (0, 0))


def test_the_page_takes_what_the_lesson_does_not_ask_for() -> None:
    play = played(asks=["LA", "RA"])
    assert taken(play) == ["REDUCE", "COPY(lemma)", "SHIFT", "COPY(sense)"]
    play = act(play, "LA(1, :ARG0)")
    assert taken(play)[5:] == ["SHIFT", "REDUCE", "PRED(go-02)"]
    assert play.notice is not None
    assert play.notice.lines[-1] == "Then the page went on from “wants”, skipped “to”, made go-02."
    assert [each.is_own for each in play.walk] == [False] * 4 + [True] + [False] * 3
    play = act(act(play, "RA(3, :ARG1)"), "LA(1, :ARG0)")
    assert state_of(play).is_closed


def test_after_a_wrong_action_the_page_waits() -> None:
    play = act(played(asks=["LA", "RA"]), "RA(1, :ARG0)")
    assert taken(play)[-1] == "RA(1, :ARG0)"


def test_a_lesson_starts_after_its_first_actions() -> None:
    assert taken(played(start=3)) == list(WALK[:3])


@pytest.mark.parametrize("typed", ["la(1, :ARG0)", "la -> want-01 :ARG0 boy"])
def test_a_learner_types_an_action_as_it_is_read_or_bare(typed: str) -> None:
    play = played(*WALK[:4], typed)
    assert taken(play)[-1] == "LA(1, :ARG0)"
    assert play.notice is not None
    assert play.notice.title == "Right: LA → want-01 :ARG0 boy."


@pytest.mark.parametrize(
    ("action", "title"),
    [
        ("RA(1, :ARG0)", "RA → boy :ARG0 want-01 is possible, but does not lead to the goal."),
        ("ROOT(3)", "ROOT → want-01 is not possible here."),
    ],
)
def test_what_is_said_of_an_answer_names_nodes(action: str, title: str) -> None:
    notice = played(*WALK[:4], action).notice
    assert notice is not None
    assert notice.title == title


# --- why ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "action", "words"),
    [
        (WALK[:3], "REDUCE", "“wants” stands for want-01 in the goal"),
        (WALK[:3], "MERGE", "“wants” stands for want-01 without the next token"),
        ((), "MERGE", "“The” stands for nothing in the goal: skip it with REDUCE"),
        ((), "PRED(boy)", "“The” stands for nothing in the goal: skip it with REDUCE"),
        (WALK[:1], "PRED(go-02)", "in the goal go-02 belongs to “go”"),
        (WALK[:1], "CONST(boy)", "in the goal boy is a concept, not a constant"),
        (WALK[:2], "PRED(boy)", "here boy is made already"),
        (WALK[:4], "SHIFT", "first draw the edge want-01 :ARG0 boy"),
        (WALK[:4], "PRED(boy)", "first draw the edge want-01 :ARG0 boy"),
        (WALK[:8], "SHIFT", "first draw the edges want-01 :ARG1 go-02, go-02 :ARG0 boy"),
        (WALK[:4], "RA(1, :ARG0)", "the other way round: the goal has want-01 :ARG0 boy"),
        (WALK[:4], "LA(1, :ARG1)", "between these two the goal has want-01 :ARG0 boy"),
        (WALK[:12], "LA(1, root)", "the goal is mainly about want-01, not boy"),
        (("PRED(girl)",), "SHIFT", "action 0, PRED(girl), has left the way to the goal"),
    ],
)
def test_a_wrong_action_is_explained(before: tuple[str, ...], action: str, words: str) -> None:
    play = played(*before)
    told = why_wrong(play.lesson.goal, state_of(play), parse_action(action))
    assert told.startswith(words)


NEEDS = [
    ((), "“The” stands for nothing in the goal: skip it with REDUCE"),
    (WALK[:1], "make boy first: “boy” stands for it"),
    (WALK[:2], "all that “boy” stands for is made: go on with SHIFT"),
    (WALK[:4], "first draw the edge want-01 :ARG0 boy"),
    (WALK[:12], "choose the root: the goal is mainly about want-01"),
    (("REDUCE", "MERGE"), "action 1, MERGE, has left the way to the goal: press Undo 1 time"),
    (
        ("PRED(girl)", "SHIFT"),
        "action 0, PRED(girl), has left the way to the goal: press Undo 2 times",
    ),
    (
        (*WALK[:4], "RA(1, :ARG0)"),
        "action 4, RA → boy :ARG0 want-01, has left the way to the goal: press Undo 1 time",
    ),
]


@pytest.mark.parametrize(("before", "needed"), NEEDS)
def test_what_the_goal_needs_is_told(before: tuple[str, ...], needed: str) -> None:
    play = played(*before)
    assert what_is_needed(play.lesson.goal, state_of(play)) == needed


def test_no_advice_leads_away_from_the_goal() -> None:
    """Every illegal action along every kind of walk: what is named is right, or it is undone."""
    draw = random.Random(11)
    lesson = lesson_of(graph="(w / want-01~e.2 :ARG0 (t / team~e.0,1) :ARG1 (g / go-02~e.4))")
    moves = [parse_action(name) for name in ("SHIFT", "REDUCE", "MERGE")]
    kinds: set[str] = set()
    for _ in range(60):
        play = begin(lesson)
        for _ in range(draw.randrange(10)):
            state = state_of(play)
            rights = list(right_actions(lesson.goal, state)) if draw.random() < 0.9 else []
            play = act(play, format_action(draw.choice(rights or legal_among(state) or [Shift()])))
        state = state_of(play)
        for move in moves if not state.is_closed else ():
            if is_legal(state, move):
                continue
            notice = act(play, format_action(move)).notice
            assert notice is not None
            assert "use REDUCE" not in " ".join(notice.lines)
            for other in moves:
                if f"with {format_action(other)}" in notice.lines[1]:
                    kinds.add(format_action(other))
                    assert other in right_actions(lesson.goal, state)
    assert kinds == {"SHIFT", "REDUCE", "MERGE"}


def test_words_that_act_as_one_are_explained() -> None:
    play = played(graph="(w / want-01~e.2 :ARG0 (t / team~e.0,1))")
    goal, state = play.lesson.goal, state_of(play)
    assert why_wrong(goal, state, parse_action("PRED(team)")).startswith("“The boy” act as one")
    assert why_right(goal, state, parse_action("MERGE")) == "“The boy” act as one"
    both = played(graph="(w / want-01~e.2 :ARG0 (b / boy~e.2))").lesson
    state = state_of(begin(both))
    for action in ("REDUCE", "REDUCE", "COPY(sense)"):
        state = advance(state, parse_action(action))
    assert why_wrong(both.goal, state, Shift()) == "make boy first: “wants” stands for it"


def test_every_legal_action_has_an_explanation() -> None:
    lesson = lesson_of()
    draw = random.Random(5)
    for _ in range(40):
        play = begin(lesson)
        for _ in range(draw.randrange(14)):
            state = state_of(play)
            rights = right_actions(lesson.goal, state)
            for action in legal_among(state):
                explain = why_right if action in rights else why_wrong
                assert explain(lesson.goal, state, action)
            play = act(play, format_action(draw.choice(legal_among(state) or [Shift()])))


def legal_among(state: Any) -> list[Action]:
    texts = [*WALK, "MERGE", "PRED(x)", "CONST(2)", "RA(1, :ARG0)", "RA(1, :mod)", "LA(1, root)"]
    return [action for action in map(parse_action, texts) if is_legal(state, action)]


# --- runs -----------------------------------------------------------------------------------

TRACE = {"model": "m", "actions": list(WALK), "entropies": [0.1] * 7 + [0.9] + [0.2] * 5}


def test_a_run_stops_before_the_first_reentrancy() -> None:
    play = run(played(), "reentrancy")
    assert (taken(play), play.notice.title) == (list(WALK[:9]), "The page took 9 actions.")


def test_a_run_stops_before_the_next_ra_and_goes_on_from_there() -> None:
    play = run(played(), "ra")
    assert taken(play) == list(WALK[:8])
    again = run(play, "ra")
    assert (again.at, again.notice.title) == (8, "The run did not stop.")


def test_a_run_stops_where_a_model_was_unsure() -> None:
    play = run(played(trace=TRACE), "entropy", 0.5)
    assert taken(play) == list(WALK[:7])
    assert entropy_at(play.lesson, state_of(play)) == 0.9
    astray = run(played("MERGE", trace=TRACE), "entropy", 0.5)
    assert astray.notice.title == "From here the goal cannot be reached."
    other = run(played("REDUCE", "PRED(boy)", trace=TRACE), "entropy", 0.5)
    assert other.notice.title == "No figure here."


def test_a_run_to_the_end_finishes_the_graph() -> None:
    play = run(played(), "end")
    assert play.notice.title == "Done: this is the goal."
    assert run(play, "end").notice.title == "The graph is finished."


# --- messages -------------------------------------------------------------------------------


def sent(lesson: Any, *rows: dict[str, Any]) -> Any:
    full = [{"seen": 0, "moment": None, "text": "", **row} for row in rows]
    return read_messages({"lesson": name_of(lesson), "messages": full}, name_of(lesson))


def test_messages_are_applied_in_order_and_once() -> None:
    play = played()
    rows = [
        {"number": 1, "verb": "act", "text": "REDUCE", "moment": 0},
        {"number": 2, "verb": "act", "text": "COPY(lemma)"},
    ]
    answered = answer(Answered(play), sent(play.lesson, *rows))
    assert (taken(answered.play), answered.ack) == (["REDUCE", "COPY(lemma)"], 2)
    rows.append({"number": 3, "verb": "act", "text": "SHIFT"})
    answered = answer(answered, sent(play.lesson, *rows))
    assert taken(answered.play) == ["REDUCE", "COPY(lemma)", "SHIFT"]


def test_twenty_rapid_messages_are_twenty_answers() -> None:
    play = played()
    rows = [{"number": n, "verb": "act", "text": text} for n, text in enumerate(WALK, start=1)]
    rows += [{"number": n, "verb": "restart"} for n in range(14, 21)]
    answered = answer(Answered(play), sent(play.lesson, *rows[:13]))
    assert taken(answered.play) == list(WALK)
    assert answer(answered, sent(play.lesson, *rows)).ack == 20


def test_what_was_sent_before_a_refusal_was_seen_is_dropped() -> None:
    play = played()
    rows = [
        {"number": 1, "verb": "act", "text": "SHIFT", "moment": 0},
        {"number": 2, "verb": "act", "text": "REDUCE"},
    ]
    answered = answer(Answered(play), sent(play.lesson, *rows))
    assert (taken(answered.play), answered.ack, answered.refused) == ([], 2, 1)
    after = {"number": 3, "verb": "act", "text": "REDUCE", "seen": 2, "moment": 0}
    assert taken(answer(answered, sent(play.lesson, after)).play) == ["REDUCE"]


def test_a_message_acts_at_its_moment() -> None:
    play = played("REDUCE", "COPY(lemma)")
    row = {"number": 1, "verb": "act", "text": "PRED(boy)", "moment": 1}
    assert taken(answer(Answered(play), sent(play.lesson, row)).play) == ["REDUCE", "PRED(boy)"]


@pytest.mark.parametrize(
    "row",
    [
        None,
        {"number": 1},
        {"number": "1", "verb": "act", "seen": 0},
        {"number": 1, "verb": "fly", "seen": 0},
        {"number": 1, "verb": "act", "seen": 0, "text": 7},
    ],
)
def test_a_message_of_another_form_is_left_out(row: Any) -> None:
    lesson = lesson_of()
    assert read_messages({"lesson": name_of(lesson), "messages": [row]}, name_of(lesson)) == ()


def test_messages_for_another_lesson_are_left_out() -> None:
    outbox = {"lesson": "other", "messages": [{"number": 1, "verb": "reveal", "seen": 0}]}
    assert read_messages(outbox, name_of(lesson_of())) == ()
    assert read_messages(None, "x") == ()


def test_a_very_long_action_is_refused() -> None:
    play = played()
    row = {"number": 1, "verb": "act", "text": f"PRED({'x' * 500})"}
    assert answer(Answered(play), sent(play.lesson, row)).play.notice.title == "That is too long."


# --- addresses ------------------------------------------------------------------------------


def test_an_address_comes_back_to_the_moment() -> None:
    for play in (played(), played(*WALK[:5]), go(played(*WALK[:5]), 2), played("PRED(x)")):
        address = format_link(link_of(play, is_listed=True))
        again, problem = play_of(play.lesson, parse_link(ExerciseLink, address))
        assert problem is None
        assert taken(again) == taken(play)
        assert link_of(again, is_listed=True) == link_of(play, is_listed=True)


def test_the_lessons_own_walk_is_not_spelled_out() -> None:
    link = link_of(played(*WALK[:5]), is_listed=True)
    assert link == ExerciseLink(lesson="boy", step=5)
    assert link_of(played(), is_listed=True) == ExerciseLink(lesson="boy")


def test_a_lesson_of_ones_own_travels_in_the_address() -> None:
    play = played("REDUCE")
    link = link_of(play, is_listed=False)
    assert link.own is not None
    assert unpack_lesson(link.own).document == BOY
    draw = random.Random(3)
    signs = ["".join(chr(0x4E00 + draw.randrange(20_000)) for _ in range(4000)) for _ in range(2)]
    assert pack_lesson(lesson_of(task=signs[0], hint=signs[1])) is None


@pytest.mark.parametrize("packed", ["x", "%%%", "é", "A" * 12_001, "eJwDAAAAAAE="])
def test_a_damaged_lesson_in_an_address_is_named(packed: str) -> None:
    with pytest.raises(FormatError):
        unpack_lesson(packed)


@pytest.mark.parametrize("walk", ["{", "[1]", '["FLY"]', '["SHIFT"]', "[" * 9000])
def test_a_walk_that_cannot_be_taken_is_named_and_the_lesson_opens(walk: str) -> None:
    play, problem = play_of(lesson_of(), ExerciseLink(walk=walk, step=1))
    assert play.walk == ()
    assert problem is not None
    assert problem.startswith("The walk in this address cannot be taken")


def test_what_an_address_does_not_say_well_counts_as_absent() -> None:
    link = parse_link(ExerciseLink, {"step": "-1", "mode": "fly", "feedback": "loud"})
    assert link == ExerciseLink()
    assert play_of(lesson_of(), ExerciseLink(step=99))[0].at == 13


# --- marks --------------------------------------------------------------------------------


def test_what_left_the_way_and_what_took_more_than_one_answer_are_marked() -> None:
    play = played("SHIFT", "REDUCE", "PRED(girl)", "SHIFT")
    assert marks_of(play) == ("missed", "wrong", "")
    assert marks_of(played(*WALK)) == ("",) * 13
    shown = exercise_of(play, offers_of(play.lesson), Page())
    assert shown["marks"] == ["missed", "wrong", ""]


def test_marks_tell_no_more_than_the_feedback() -> None:
    assert marks_of(played("PRED(girl)", feedback="none")) == ("",)
    test = played("MERGE", mode="predict", feedback="percentage")
    assert marks_of(test) == ("",)
    done = played("MERGE", *WALK[1:], mode="predict", feedback="percentage")
    assert marks_of(done) == ("missed", *[""] * 12)


@pytest.mark.parametrize(
    ("changes", "crosses"),
    [
        ({}, True),
        ({"asks": ["LA", "RA"]}, True),
        ({"mode": "predict"}, False),
        ({"asks": ["SHIFT", "REDUCE"]}, False),
    ],
)
def test_moves_are_crossed_out_beforehand_only_where_that_is_no_answer(
    changes: dict[str, Any], crosses: bool
) -> None:
    play = played(**changes)
    assert exercise_of(play, offers_of(play.lesson), Page())["crosses"] is crosses


def test_the_reasons_of_crossed_out_moves_give_no_advice() -> None:
    play = played("REDUCE")
    payload = payload_of_play(play, lay_out_goal(play.lesson.goal))
    assert "nothing was made at this token" in payload["texts"]
    assert not [text for text in payload["texts"] if "use REDUCE" in text]


# --- what is drawn --------------------------------------------------------------------------


def boxes(play: Any) -> dict[str, tuple[float, float]]:
    layout = lay_out_goal(play.lesson.goal)
    nodes = payload_of_play(play, layout)["nodes"]
    return {node["label"]: (node["x"], node["y"]) for node in nodes}


def test_nothing_drawn_moves_while_a_graph_is_built() -> None:
    before = boxes(played())
    for num in range(len(WALK)):
        assert boxes(played(*WALK[:num])) == before
    astray = boxes(played("PRED(girl)", "LA(0, :mod)"))
    assert {label: astray[label] for label in before} == before
    assert astray["girl"][1] > max(y for _, y in before.values())


def test_what_is_not_made_yet_is_drawn_as_the_goal_alone() -> None:
    play = played(*WALK[:2])
    payload = payload_of_play(play, lay_out_goal(play.lesson.goal))
    steps = {node["label"]: node["step"] for node in payload["nodes"]}
    assert steps == {"want-01": NEVER, "boy": 2, "go-02": NEVER}
    assert payload["start"] == 2
    assert payload["steps"]["cursor"] == [0, 1, 1]
    read = [payload["texts"][number] for number in payload["steps"]["shown"]]
    assert read == ["REDUCE", "COPY(lemma) → boy"]
    assert payload["triples"] == [[2, "b", ":instance", "boy", 0]]


def test_edges_that_the_goal_has_not_are_drawn_beside_it() -> None:
    play = played(*WALK[:4], "RA(1, :mod)", "LA(1, :mod)", "LA(1, :ARG0)")
    payload = payload_of_play(play, lay_out_goal(play.lesson.goal))
    strange = [edge for edge in payload["edges"] if not edge.get("goal")]
    assert [edge["role"] for edge in strange] == [":mod", ":mod"]
    assert strange[0]["path"] != strange[1]["path"]
    loop = played("PRED(x)", "LA(0, :mod)", action_set="exact")
    drawn = payload_of_play(loop, lay_out_goal(loop.lesson.goal))["edges"]
    assert "C" in drawn[-1]["path"]


def test_a_hidden_goal_is_not_sent() -> None:
    play = played("REDUCE", goal="hidden")
    payload = payload_of_play(play, lay_out_goal(play.lesson.goal))
    payload["exercise"] = exercise_of(play, offers_of(play.lesson), Page()) | {"terms": {}}
    text = json.dumps(payload)
    assert "want-01" not in text
    assert "go-02" not in text
    assert payload["exercise"]["offers"]["roles"] == USUAL_ROLES


def test_the_key_changes_with_the_walk_and_with_the_lesson() -> None:
    keys = {
        payload_of_play(play, lay_out_goal(play.lesson.goal))["key"]
        for play in (played(), played("REDUCE"), played(title="Other"))
    }
    assert len(keys) == 3
    assert name_of(lesson_of()) != name_of(lesson_of(title="Other"))


def test_every_copy_says_what_it_makes() -> None:
    play = played("REDUCE")
    copies = exercise_of(play, offers_of(play.lesson), Page())["copies"]
    assert copies[1] == [["lemma", "boy"], ["sense", "boy-01"]]
