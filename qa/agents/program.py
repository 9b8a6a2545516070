"""pmproof as a peer can run it: its sandbox has libraries of its own, but not each that pmproof needs."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from qa.peers.peers import Peer


@dataclass(frozen=True)
class Program:
    """`folder` is to be bound; it has all that is needed beside the peer's own."""

    path: Path
    folder: Path
    environment: dict[str, str]

    @classmethod
    def copied(cls, pmproof: Path, peer: Peer, folder: Path) -> "Program":
        """Copies into the folder, for a file of a build is often in a place that can not be bound."""
        copy = folder / "pmproof"
        shutil.copyfile(pmproof, copy)
        copy.chmod(0o755)
        listed = subprocess.run(["ldd", copy], capture_output=True, text=True, check=True).stdout
        libraries = {name: Path(path) for name, path in re.findall(r"(\S+) => (/\S+)", listed)}
        missing = [name for name in libraries if not any(Path(f"{peer.folder}/usr/lib").glob(f"**/{name}"))]
        for name in missing:
            shutil.copyfile(libraries[name], folder / name)
        return cls(copy, folder, {"LD_LIBRARY_PATH": str(folder)} if missing else {})
