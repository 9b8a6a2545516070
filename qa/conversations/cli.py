# SPDX-License-Identifier: Apache-2.0
"""`suite play`: golden conversations with an agent or a collector."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from qa.adapters.guarded import GuardedProcess
from qa.adapters.guardian import orphans_ended
from qa.conversations import report, sides
from qa.conversations.channel import Channel
from qa.conversations.conversation import AGENTS, Conversation, Step, load_all
from qa.conversations.player import NOT_STARTED, Outcome, Player
from qa.support.new_file import written_whole

OK, FAILED, USAGE, STARTED_NOT = 0, 1, 2, 3
_ROOT = Path(__file__).parents[2] / "golden/conversations"

ABOUT = """\
Plays golden conversations (golden/README.md): the collector's side to an agent, or the agent's side to a collector. Each
conversation gets a connection of its own, and the program that COMMAND starts a process of its own. The first octet that
differs from what the specification says is shown with both sides and the clause.
"""

EXAMPLES = """\
examples:
  suite play agent -- pmproof agent serve trivial           what holds of any agent
  suite play agent --as simple -- pmproof agent serve simple
  suite play agent --as simple --inet 4331 -- ./my_simple -i 4331
  suite play collector -- dbpmda -f -n names                what dbpmda says when it is given the conversation's commands
  suite play collector --conversation simple-fetch --stdio  as the agent that a collector starts over a pair of pipes

Exit status: 0 all are right, and something was played; 1 something is not; 2 wrong usage, or nothing was played; 3 what is
under test could not be started, or does not connect; 4 a conversation cannot be read; 5 an error of the suite itself.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    def add(name: str, metavar: str | None, told: str, **more: Any) -> None:
        if metavar is not None:
            more["metavar"] = metavar
        parser.add_argument(name, help=told, **more)

    parser.usage = "suite play {agent,collector} [OPTION...] [-- COMMAND [ARGUMENT...]]"
    parser.add_argument(
        "under_test",
        choices=("agent", "collector"),
        help="what is under test, and is started by COMMAND. A collector reads commands of dbpmda; without COMMAND one is waited for",
    )
    parser.set_defaults(words=[])  # COMMAND, which split() takes out: argparse loses it where options stand before it
    parser.add_argument(
        "--as",
        dest="kind",
        choices=tuple(AGENTS),
        default="any",
        help="the agent is PCP's of that name, or does as that one (any). Without it a collector gets all conversations",
    )
    add("--conversation", "GLOB", "only these, such as 'simple-*'; may be given more than once", action="append", default=[])
    add("--of", "NAME", "take only alternatives of this version or implementation, such as 7.2.2 or C", action="append", default=[])
    add("--domain", "N", "of the agent, in conversations for any (that of --as, or 0)", type=_domain)
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--unix", type=Path, metavar="PATH", help="the agent listens there")
    place.add_argument("--inet", type=_port, metavar="PORT", help="the agent listens there, on the loopback interface")
    place.add_argument(
        "--stdio",
        action="store_true",
        help="play one conversation as the agent on standard input and output; the report goes to standard error",
    )
    add("--limit", "SECONDS", "for each step, and for the start (10)", type=_seconds, default=10.0)
    add("--trace", None, "print every step with its octets", action="store_true")
    add("--quiet", None, "print what is not right, and the last line", action="store_true")
    add("--json", "FILE", "a report (qa/conversations/schema/report.schema.json); - is stdout", type=Path)
    add("--conversations", "FOLDER", "golden/conversations", type=Path, default=_ROOT)
    add("--list", None, "only list what would be played", action="store_true")


def split(arguments: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """What argparse is to read, and COMMAND."""
    at = list(arguments).index("--") if "--" in arguments else len(arguments)
    return arguments[:at], list(arguments[at + 1 :])


def _seconds(text: str) -> float:
    found = float(text)
    if not 0 < found < 1e6:
        raise argparse.ArgumentTypeError(f"not a number of seconds: {text}")
    return found


def _port(text: str) -> int:
    found = int(text)
    if not 0 < found < 1 << 16:
        raise argparse.ArgumentTypeError(f"not a port: {text}")
    return found


def _domain(text: str) -> int:
    found = int(text)
    if not 0 <= found <= 510:
        raise argparse.ArgumentTypeError(f"not a domain (0 to 510): {text}")
    return found


def play(asked: argparse.Namespace) -> int:
    """Raises ConversationError and OSError."""
    known = load_all(asked.conversations, asked.conversation)
    chosen = [one for one in known if _is_for(one, asked)]
    if asked.list:
        for one in chosen:
            print(f"{one.id:44} {one.agent:8} {'+'.join(one.under_test):16} {one.title}")
        return OK
    if not chosen:
        print("suite: none of these conversations is for such an agent or collector (--list, --as)", file=sys.stderr)
        return USAGE
    if asked.under_test == "agent" and (not asked.words or asked.stdio):
        print("suite: which agent? give -- COMMAND, and not --stdio", file=sys.stderr)
        return USAGE
    if asked.stdio and (len(chosen) != 1 or asked.words):
        print(f"suite: --stdio plays one conversation to whoever started this, not {len(chosen)}", file=sys.stderr)
        return USAGE
    if asked.under_test == "collector" and not (asked.words or asked.stdio or asked.unix or asked.inet):
        print("suite: which collector? give -- COMMAND, or where it connects to: --unix, --inet or --stdio", file=sys.stderr)
        return USAGE
    return _play_all(chosen, len(known) - len(chosen), asked)


def _is_for(conversation: Conversation, asked: argparse.Namespace) -> bool:
    if asked.under_test not in conversation.under_test:
        return False
    # A collector does not know whose agent it talks to.
    if asked.under_test == "collector" and asked.kind == "any":
        return True
    return conversation.agent in ("any", asked.kind)


def _play_all(chosen: Sequence[Conversation], skipped: int, asked: argparse.Namespace) -> int:
    out = sys.stderr if asked.stdio else sys.stdout
    outcomes: list[tuple[Outcome, str]] = []
    with ExitStack() as stack:
        stack.enter_context(orphans_ended())
        place = sides.Place(asked.unix, asked.inet)
        if asked.under_test == "collector" and not asked.stdio:
            if not place.is_socket:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pmproof-"))
                place = sides.Place(Path(folder) / "agent")
            listener = stack.enter_context(sides.listening(place))
        else:
            listener = None
        for conversation in chosen:
            outcome, said = _play_one(conversation, place, listener, asked)
            outcomes.append((outcome, said))
            for line in [] if outcome.is_right and asked.quiet else report.lines(outcome, said):
                print(line, file=out, flush=True)
            if outcome.outcome == NOT_STARTED:
                print(f"suite: {len(chosen) - len(outcomes)} more were not played", file=sys.stderr)
                break
    right = sum(one.is_right for one, _ in outcomes)
    others = f"; {skipped} are not for it" if skipped else ""
    print(f"{right} of {len(outcomes)} conversations are right{others}", file=out, flush=True)
    if asked.json:
        told = report.as_json(asked.under_test, asked.words, outcomes, skipped)
        with written_whole(Path("/dev/stdout") if str(asked.json) == "-" else asked.json) as text:
            text.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
    if outcomes[-1][0].outcome == NOT_STARTED:
        return STARTED_NOT
    return OK if right == len(outcomes) else FAILED


def _play_one(
    conversation: Conversation, place: sides.Place, listener: sides.Listener | None, asked: argparse.Namespace
) -> tuple[Outcome, str]:
    def trace(who: str, step: Step, data: bytes) -> None:
        print(report.step_line(who, step, data), file=sys.stderr if asked.stdio else sys.stdout, flush=True)

    domain = AGENTS[asked.kind] if asked.domain is None else asked.domain

    def player(side: str, channel: Channel, process: GuardedProcess | None) -> Player:
        made = Player(conversation, side, channel, asked.limit, process, frozenset(asked.of) or None)
        if conversation.agent == "any":
            made.domain = domain
        if asked.trace:
            made.trace = trace
        return made

    if asked.trace:
        print(f"{conversation.id}: {conversation.title}", file=sys.stderr if asked.stdio else sys.stdout)
    if asked.stdio:
        channel = Channel(os.dup(0), os.dup(1))
        for descriptor in (0, 1):  # nothing else may be written there
            with open(os.devnull, "r+b") as nothing:
                os.dup2(nothing.fileno(), descriptor)
        try:
            return player("agent", channel, None).play(), ""
        finally:
            channel.close()
    try:
        if listener is not None:
            with sides.collector(listener, place, asked.words, conversation, domain, asked.limit) as side:
                return player("agent", side.channel, side.process).play(), side.said()
        with sides.agent(asked.words, place, asked.limit) as side:
            outcome = player("collector", side.channel, side.process).play()
            return (outcome.as_not_started() if outcome.is_silence_at_start else outcome), side.said()
    except sides.NotThere as error:
        return Outcome(conversation, NOT_STARTED, because=str(error)), ""

