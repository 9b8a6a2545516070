# SPDX-License-Identifier: Apache-2.0
"""`suite operation NAME`: what an operation is asked and what it answers, by examples of the golden cases."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from qa.adapters.protocol import Messages
from qa.golden.cases import Case, CaseError, Json
from qa.suite.checks import Check, checks_of


def lines_of(name: str, golden: Sequence[Case], root: Path) -> Iterator[str]:
    """`root`: the folder of the cases, which paths are told from. Raises CaseError where no operation is called so."""
    known = Messages().operations
    if name not in known:
        raise CaseError(f"no operation is called {name}: {', '.join(known)}")
    schema = "validator/schema/testee.schema.json"
    yield f"{name}: arguments {schema}#/$defs/{name}.args, result #/$defs/{name}.result"
    checks = [check for check in checks_of(golden) if check.request.operation == name]
    for kind in ("result", "reject"):
        if some := [check for check in checks if kind in check.request.expect]:
            yield ""
            yield from _example(min(some, key=_length), root)


def _length(check: Check) -> int:
    """Of a whole example; an empty answer shows nothing."""
    answer = json.dumps(check.request.expect)
    shows = "{}" not in answer and "[]" not in answer and ("fetches" not in answer or '"value"' in answer)
    return len(answer) + len(json.dumps(check.args)) + (0 if shows else 1 << 20)


def _example(check: Check, root: Path) -> Iterator[str]:
    source: Json = {key: _shown(told, root) for key, told in check.request.source.items()}
    request = {"cmd": "run", "seq": "k1", "op": check.request.operation, "input": source, "args": check.args}
    yield f"{check.id} [{', '.join(check.case.clauses)}] {check.case.title}"
    yield f"-> {json.dumps(request, ensure_ascii=False)}"
    yield f"<- {json.dumps({'seq': 'k1', **check.request.expect}, ensure_ascii=False)}"


def _shown(path: str | list[str], root: Path) -> str | list[str]:
    if isinstance(path, list):
        return [f"golden/{Path(one).relative_to(root.resolve())}" for one in path]
    return f"golden/{Path(path).relative_to(root.resolve())}"
