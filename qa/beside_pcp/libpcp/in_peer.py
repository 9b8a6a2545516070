# SPDX-License-Identifier: Apache-2.0
"""How program.py is run by a peer's own Python."""

import shutil
from pathlib import Path

from qa.peers.peers import AnyPath

_ROOT = Path(__file__).resolve().parents[3]
_MODULES = ("archive", "children", "configuration", "expressions", "metadata", "names", "program")
_FILES = ("qa/adapters/pcp_library.py", *(f"qa/beside_pcp/libpcp/{module}.py" for module in _MODULES))


def command(folder: Path, subject: str, *arguments: AnyPath) -> list[AnyPath]:
    """The command that asks about a subject. It needs a copy of the program in `folder`, which the peer must see."""
    # In a runfiles tree the program's files are links that lead nowhere in the sandbox.
    for name in _FILES:
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_ROOT / name, copy)
    return ["python3", "-B", "-m", "qa.beside_pcp.libpcp.program", subject, *arguments]


def environment(folder: Path) -> dict[str, str]:
    """The environment of that command: the peers' lists of derived metrics would be found in every archive (OUT-101,
    DER-303), and messages go to standard error."""
    return {"PCP_DERIVED_CONFIG": "", "PCP_STDERR": "", "PYTHONPATH": str(folder)}
