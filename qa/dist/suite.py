# SPDX-License-Identifier: Apache-2.0
"""The suite as it is installed: its Python, the adapters and the golden cases, in the places that they have in the workspace."""

import ast
from pathlib import Path

from qa.dist.error import DistError
from qa.dist.tree import File

# Where Python starts that is not found by imports of the command.
_PROGRAMS = ("qa/suite/cli.py", "qa/suite/fake", "qa/suite/starter/rule.py", "qa/adapters/pcp_adapter", "qa/adapters/tool_adapter")
_BESIDE = (
    "golden/*.json",
    "golden/archive/**",
    "golden/conversations/**",
    "golden/derived/**",
    "golden/ledger/**",
    "golden/metadata/**",
    "golden/pmda/**",
    "golden/replay/**",
    "golden/schema/**",
    "golden/tool-output/**",
    "qa/adapters/README.md",
    "qa/adapters/guardian.py",
    "qa/adapters/pcp_*.py",
    "qa/suite/README.md",
    "qa/suite/expected/*.txt",
    "qa/suite/reports/page.*",
    "qa/suite/schema/*.json",
    "qa/suite/starter/*",
    "validator/schema/testee.schema.json",
    "validator/text/html/*",
    "validator/text/version.h",
)
_FOLDER = "share/pmproof"
_COMMAND = """\
#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
\"\"\"Any implementation of PCP through the golden cases; see --help.\"\"\"

import os
import sys
from pathlib import Path

prefix = Path(__file__).resolve().parents[1]
sys.path[0] = str(prefix / "share/pmproof")
os.environ.setdefault("PMPROOF", str(prefix / "bin/pmproof"))
os.environ.setdefault("EXPRESSIONS", str(prefix / "lib/pmproof/expressions"))

from qa.suite.cli import main

sys.exit(main(sys.argv[1:]))
"""


def files(source: Path) -> dict[str, File]:
    """Returns the command `pmproof-suite` and what it needs, by paths below /usr.

    Raises DistError where a file of the suite is missing.
    """
    tree = {"bin/pmproof-suite": File(_COMMAND.encode(), executable=True)}
    wanted = _python(source)
    for pattern in _BESIDE:
        found = {path for path in source.glob(pattern) if path.is_file()} if "**" not in pattern else _below(source, pattern)
        if not found:
            raise DistError(f"{source}: there is no {pattern}")
        wanted |= found
    for path in sorted(wanted):
        name = path.relative_to(source).as_posix()
        if not name.endswith(("_test.py", "/BUILD")):
            tree[f"{_FOLDER}/{name}"] = File(path.read_bytes(), executable=name in _PROGRAMS and not name.endswith(".py"))
    return tree


def _below(source: Path, pattern: str) -> set[Path]:
    return {path for path in source.glob(pattern + "/*") if path.is_file()}


def _python(source: Path) -> set[Path]:
    """The programs, and all modules of the workspace that they import."""
    found: set[Path] = set()
    left = [source / name for name in _PROGRAMS]
    while left:
        path = left.pop()
        if path in found:
            continue
        found.add(path)
        try:
            tree = ast.parse(path.read_bytes())
        except OSError as error:
            raise DistError(f"{path}: {error.strerror}; it is part of the suite") from error
        for name in _imported(tree):
            module = source / name.replace(".", "/")
            left += [file for file in (module.with_suffix(".py"), module / "__init__.py") if file.is_file()]
    return found


def _imported(tree: ast.AST) -> set[str]:
    """The modules, and what may be one, of `import a` and `from a import b`."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if name.startswith("qa.")}
