# SPDX-License-Identifier: Apache-2.0
"""What the program is made of, as SPDX 2.3 in JSON."""

import hashlib
import json
import subprocess
from datetime import datetime, timezone

from qa.dist.error import DistError
from qa.dist.executable import Executable
from qa.dist.notices import LINKED


def sbom(executable: Executable, time: int) -> bytes:
    """Returns the document: the program, and each package of Debian that is linked into it, with its version.

    Raises DistError if one is not installed.
    """
    digest = hashlib.sha256(executable.path.read_bytes()).hexdigest()
    linked = [_package(name, version, source) for name, version, source in _installed()]
    program = {
        "SPDXID": "SPDXRef-pmproof",
        "name": "pmproof",
        "versionInfo": executable.version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": "APPLICATION",
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"pmproof-{executable.version}-{executable.machine}",
        # Unique to the program, and no address of anybody's.
        "documentNamespace": f"urn:sha256:{digest}",
        "creationInfo": {
            "created": datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": [f"Tool: qa/dist/build-{executable.version}"],
        },
        "packages": [program, *linked],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-pmproof"},
            *(
                {"spdxElementId": "SPDXRef-pmproof", "relationshipType": "STATIC_LINK", "relatedSpdxElement": package["SPDXID"]}
                for package in linked
            ),
        ],
    }
    return (json.dumps(document, indent=1) + "\n").encode()


def _package(name: str, version: str, source: str) -> "dict[str, object]":
    return {
        "SPDXID": f"SPDXRef-{name.replace('+', 'p')}",
        "name": name,
        "versionInfo": version,
        "supplier": "Organization: Debian",
        "sourceInfo": f"built from the source package {source}",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        # Their texts go with the program, in the file `copyright`.
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "externalRefs": [
            {
                "referenceCategory": "PACKAGE-MANAGER",
                "referenceType": "purl",
                "referenceLocator": f"pkg:deb/debian/{name.replace('+', '%2B')}@{version.replace('+', '%2B').replace(':', '%3A')}",
            }
        ],
    }


def _installed() -> "list[tuple[str, str, str]]":
    """Name, version and source package of each."""
    form = "${binary:Package}\\t${Version}\\t${source:Package}\\n"
    done = subprocess.run(["dpkg-query", "--show", "--showformat", form, *LINKED], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise DistError(f"which versions are linked? {done.stderr.strip()}")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return sorted((name.partition(":")[0], version, source) for name, version, source in rows)
