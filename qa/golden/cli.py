# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/golden/golden."""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from qa.conversations import conversation, report
from qa.conversations.conversation import Conversation, ConversationError
from qa.golden import cases, coverage, emulated_cases, ledger, limit_cases, new, packed, pdu_cases, regressions, rule_cases, seeds, show

HERE = Path(__file__).resolve().parents[2]
ROOT = HERE / "golden"
OK, USAGE = 0, 2
# What a reader of the exported cases needs beside them: what the operations ask and answer, and how inputs are described.
_SCHEMAS = ("validator/schema/testee.schema.json", "generators/schema/description.schema.json")


Chosen = tuple[list[cases.Case], list[Conversation]]


def _chosen(root: Path, globs: Sequence[str], checked: bool = True) -> Chosen:
    """Cases and conversations, all of both without globs."""
    of_conversations = [glob for glob in globs if glob.startswith("conversations/")]
    of_cases = [glob for glob in globs if glob not in of_conversations]
    return (
        cases.load_all(root, of_cases, checked) if of_cases or not globs else [],
        conversation.load_all(ROOT, of_conversations) if of_conversations or not globs else [],
    )


def _list(chosen: Chosen, by_clause: bool) -> int:
    of_cases, conversations = chosen
    if by_clause:
        found = cases.by_clause(of_cases)
        for one in conversations:
            for clause in one.all_clauses:
                found.setdefault(clause, []).append(one.id)
        for clause, names in found.items():
            print(f"{clause:12}  {', '.join(names)}")
    else:
        for name, title in [(one.id, one.title) for one in of_cases] + [(one.id, one.title) for one in conversations]:
            print(f"{name:42}  {title}")
    return OK


def _show(names: Sequence[str]) -> int:
    of_cases, conversations = _chosen(ROOT, names)
    shown = [*(show.lines(case, ROOT) for case in of_cases), *(report.told(one) for one in conversations)]
    for place, lines in enumerate(shown):
        print(*([""] if place else []), *lines, sep="\n")
    return OK


def _new(asked: argparse.Namespace) -> int:
    try:
        args = json.loads(asked.args)
    except ValueError as error:
        raise cases.CaseError(f"--args: {error}") from error
    if not isinstance(args, dict):
        raise cases.CaseError("--args: not a JSON object")
    wanted = new.Wanted(asked.id, asked.title, asked.clause, asked.op, args, asked.input)
    path = new.write(ROOT, asked.program, wanted)
    print(f"{path}: now say why it matters, where the expectation comes from, and look whether the answer is right")
    return OK


def _copy(globs: Sequence[str], to: Path) -> int:
    """The folders of the cases and of their inputs as plain files, with what says how to use them."""
    with packed.plain(ROOT) as root:
        chosen, conversations = _chosen(root, globs, checked=False)
        folders = {case.folder.resolve() for case in chosen} | {folder for case in chosen for folder in case.archive_folders}
        for folder in sorted(folders):
            shutil.copytree(folder, to / folder.relative_to(root.resolve()))
        for one in conversations:
            shutil.copytree(one.folder, to / one.id)
    (to / "schema").mkdir(parents=True)
    for path in (*(ROOT / "schema").glob("*.json"), *(HERE / name for name in _SCHEMAS)):
        shutil.copyfile(path, to / "schema" / path.name)
    shutil.copyfile(ROOT / "README.md", to / "README.md")
    print(f"{to}: {len(chosen)} cases, {len(conversations)} conversations", file=sys.stderr)
    return OK


def _generate(program: Path) -> int:
    """The cases that are made of tables of the specification, again."""
    written = pdu_cases.write(HERE / "reference/pmda/pdu/vectors", ROOT)
    written += rule_cases.write(program, HERE)
    written += limit_cases.write(ROOT)
    written += emulated_cases.write(program, ROOT)
    for line in rule_cases.left_out(ROOT):
        print(line)
    print(f"{ROOT}: {len(written)} files", file=sys.stderr)
    return OK


_PAGES = {
    "coverage": ("which case shows which clause of the specification (golden/coverage.md)", coverage.page),
    "seeds": ("what has become of each statement of the seed documents (golden/seeds.md)", seeds.page),
    "real-defects": ("what catches each real defect of PCP's past (golden/real-defects.md)", regressions.page),
}


def main(arguments: Sequence[str]) -> int:
    what = "The golden cases and conversations (golden/README.md): list them, copy them. qa/suite/suite puts them to an implementation."
    parser = argparse.ArgumentParser(prog="golden", description=what)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="the cases and conversations, a line each")
    listing.add_argument("--by-clause", action="store_true", help="the clauses that have cases, and which")
    copying = commands.add_parser("copy", help="copy cases with their inputs, and conversations, out as plain files")
    copying.add_argument("to", metavar="FOLDER", type=Path)
    showing = commands.add_parser("show", help="cases as a person reads them: requests, answers, provenance")
    showing.add_argument("names", metavar="ID", nargs="+", help="such as replay/marks-fresh, or 'replay/set-*'")
    making = commands.add_parser("new", help="a new case, with the reference's answer as a proposal")
    making.add_argument("id", metavar="CHAPTER/NAME")
    making.add_argument("--title", required=True, help="what the case is, in a line")
    making.add_argument("--clause", required=True, action="append", metavar="ID", help="may be repeated")
    making.add_argument("--op", required=True, help="an operation of the testee protocol, such as replay.interp")
    making.add_argument("--args", default="{}", metavar="JSON", help="its arguments, without rule and dialect")
    making.add_argument("--input", metavar="ARCHIVE", help="from the folder of the case: archive, or ../inputs/NAME/archive")
    making.add_argument("--program", type=Path, default=HERE / "bazel-bin/validator/pmproof", metavar="PMPROOF",
                        help="the reference (default: the one that Bazel built)")
    commands.add_parser("ledger", help="the page of the divergence ledger (golden/ledger/README.md)")
    for name, (told, _) in _PAGES.items():
        commands.add_parser(name, help=told)
    generating = commands.add_parser("generate", help="write the cases again that are tables of the specification")
    generating.add_argument("program", metavar="PMPROOF", type=Path, help="the pmproof that breaks archives")
    for command in (listing, copying):
        command.add_argument("globs", metavar="ID", nargs="*", help="only these, such as 'replay/set-*' or 'conversations/any-*'")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "ledger":
            known = {case.id: case for case in cases.load_all(ROOT)}
            path = ROOT / "ledger/ledger.json"
            sys.stdout.write(ledger.page(ledger.load(path), ledger.load_quirks(path), known))
            return OK
        if asked.command == "show":
            return _show(asked.names)
        if asked.command == "new":
            return _new(asked)
        if asked.command in _PAGES:
            sys.stdout.write(_PAGES[asked.command][1](HERE))
            return OK
        if asked.command == "generate":
            return _generate(asked.program)
        if asked.command == "list":
            return _list(_chosen(ROOT, asked.globs), asked.by_clause)
        return _copy(asked.globs, asked.to)
    except (cases.CaseError, ConversationError, packed.BrokenPack, FileExistsError, rule_cases.DisagreementError) as error:
        print(f"golden: {error}", file=sys.stderr)
        return USAGE
