# SPDX-License-Identifier: Apache-2.0
"""The golden conversations as data: by their schema, with octets of the specification's vectors and whole PDUs."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

from qa.conversations import octets
from qa.conversations.conversation import (
    AGENTS, NAME, Alternative, BrokenConversation, Conversation, ConversationError, Json, load, load_all,
)
from qa.golden import pdu_cases

ROOT = Path("golden")
ALL = load_all(ROOT)
VECTORS = {vector.number: vector.bytes for vector in pdu_cases.load(Path("reference/pmda/pdu/vectors"))}


def name_of(conversation: Conversation) -> str:
    return conversation.id.partition("/")[2]


def test_the_schema_itself_is_valid() -> None:
    schema = json.loads((ROOT / "schema/conversation.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("conversation", ALL, ids=name_of)
def test_a_conversation_lies_where_its_id_says_and_names_clauses_that_there_are(conversation: Conversation) -> None:
    assert conversation.folder == ROOT / conversation.id
    text = Path("reference/spec/pmda.md").read_text(encoding="utf-8")
    assert [clause for clause in conversation.all_clauses if not re.search(rf"\b{clause}\b", text)] == []
    if conversation.agent != "any":
        assert name_of(conversation).startswith(f"{conversation.agent}-")


@pytest.mark.parametrize("conversation", ALL, ids=name_of)
def test_what_a_player_says_is_one_whole_pdu(conversation: Conversation) -> None:  # PDU-002
    for step in conversation.steps:
        for alternative in step.alternatives:
            data, _ = octets.written(octets.parse(alternative.octets), conversation.values)
            if not step.unframed:
                assert int.from_bytes(data[:4], "big") == len(data), step.title


def cited(conversation: Conversation) -> list[Alternative]:
    return [one for step in conversation.steps for one in step.alternatives if one.vector]


@pytest.mark.parametrize("conversation", ALL, ids=name_of)
def test_cited_vectors_have_these_octets(conversation: Conversation) -> None:
    for one in cited(conversation):
        parts = octets.parse(one.octets, AGENTS[conversation.agent])
        assert octets.compare(parts, VECTORS[one.vector], {}).fits, one.vector


def test_most_conversations_have_octets_of_vectors() -> None:
    assert sum(len(cited(one)) for one in ALL) > 200
    of_specification = [one for one in ALL if one.provenance["kind"] == "specification"]
    assert len(of_specification) > 25
    assert all(one.provenance["kind"] != "observed" or one.provenance["observed"] for one in ALL)


def broken(change: str, tmp_path: Path) -> Json:
    """any-client-gone with some Python done to it, written down."""
    told: Json = json.loads((ROOT / "conversations/any-client-gone" / NAME).read_text(encoding="utf-8"))
    exec(change, {"told": told, "steps": told["steps"]})
    (tmp_path / NAME).write_text(json.dumps(told), encoding="utf-8")
    return told


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("del told['why']", "'why' is a required property"),
        ("del told['commands']", "'commands' is a required property"),
        ("steps[0]['octets'] = '0g'", r"steps\[0\]"),
        ("steps[0]['octets'] = '<a:0>'", r"steps\[0\]: <a:0>: how many octets"),
        ("steps[0]['octets'] = '<collector-pid:3>'", r"steps\[0\]: <collector-pid> has 3 octets here and 4 elsewhere"),
        ("steps[0].update(octets='<rest>', unframed=True)", r"steps\[0\]: unframed, and of no certain length"),
        ("steps[0]['joined'] = True", r"steps\[0\]: joined with what"),
        ("steps.pop()", "ends with the streams of both sides"),
        ("steps.append(steps[0])", "the stream of the agent has ended before"),
        ("steps[0]['either'] = []", r"steps\[0\]"),
        ("told['agent'] = 'mine'", "agent: 'mine' is not one of"),
    ],
)
def test_a_conversation_that_is_broken_is_refused(change: str, says: str, tmp_path: Path) -> None:
    broken(change, tmp_path)
    with pytest.raises(BrokenConversation, match=rf"{NAME}: .*{says}"):
        load(tmp_path / NAME)


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "[" * 100_000, "\x00", '{"schema": "pmproof-conversation/1"}'])
def test_what_is_no_conversation_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(text, encoding="utf-8")
    with pytest.raises(BrokenConversation, match=NAME):
        load(tmp_path / NAME)


def test_names_choose() -> None:
    assert [one.id for one in load_all(ROOT, ["simple-fetch"])] == ["conversations/simple-fetch"]
    assert len(load_all(ROOT, ["conversations/any-*", "trivial-*"])) > 25
    with pytest.raises(ConversationError, match="no conversation is called nothing"):
        load_all(ROOT, ["any-*", "nothing"])
    with pytest.raises(ConversationError, match="no conversation.json below it"):
        load_all(ROOT / "schema")
