# SPDX-License-Identifier: Apache-2.0
"""certify and recheck as an archivist meets them: what is certified, and what is told years later."""

import hashlib
import json
import lzma
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

CERTIFICATE = json.loads(Path(os.environ["CERTIFICATE_SCHEMA"]).read_text(encoding="ascii"))
RECHECK = json.loads(Path(os.environ["RECHECK_SCHEMA"]).read_text(encoding="ascii"))
REPORT = json.loads(Path(os.environ["REPORT_SCHEMA"]).read_text(encoding="ascii"))
EPOCH = {"SOURCE_DATE_EPOCH": "1800000000"}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_archive(base: Path, seed: int = 1, scenario: str = "marks") -> Path:
    base.parent.mkdir(parents=True, exist_ok=True)
    words = ["generate", "--no-truth", "--seed", str(seed), "--records", "12", "--scenario", scenario, str(base)]
    assert pmproof(*words).returncode == 0
    return base


def part(archive: Path, suffix: str) -> Path:
    return archive.with_name(f"{archive.name}.{suffix}")


def compress(file: Path) -> Path:
    packed = file.with_name(file.name + ".xz")
    packed.write_bytes(lzma.compress(file.read_bytes()))
    file.unlink()
    return packed


def flip(file: Path, offset: int, keep_times: bool = False) -> None:
    state = file.stat()
    content = bytearray(file.read_bytes())
    content[offset] ^= 1
    with open(file, "r+b") as out:  # the same inode
        out.write(content)
    if keep_times:
        os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))


def damage(archive: Path) -> None:
    """ARC-1202: the trailing length word of the label of volume 0 is wrong."""
    volume = part(archive, "0")
    flip(volume, int.from_bytes(volume.read_bytes()[:4], "big") - 1)


@pytest.fixture(name="tree")
def fixture_tree(tmp_path: Path) -> Path:
    """Two hosts; an archive of the second is compressed."""
    tree = tmp_path / "tree"
    write_archive(tree / "host1" / "20240101", 1)
    write_archive(tree / "host1" / "20240102", 2)
    packed = write_archive(tree / "host2" / "20240101", 3)
    compress(part(packed, "0"))
    compress(part(packed, "meta"))
    return tree


def certify(tree: Path, *more: str | Path, status: int = 0) -> Path:
    certificate = tree / "certificate.json"
    done = pmproof("certify", "--force", "--output", certificate, *(more or (tree,)), env=EPOCH)
    assert done.returncode == status, done.stderr
    jsonschema.validate(json.loads(certificate.read_text("ascii")), CERTIFICATE, jsonschema.Draft202012Validator)
    return certificate


def recheck(*words: str | Path, status: int = 0) -> dict[str, Any]:
    done = pmproof("recheck", "--format", "json", *words)
    assert done.returncode == status, (done.stdout, done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, RECHECK, jsonschema.Draft202012Validator)
    return report


def states(report: dict[str, Any]) -> dict[str, str]:
    return {archive["archive"]: archive["state"] for archive in report["archives"]}


def only(report: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [archive for archive in report["archives"] if archive["archive"] == name]
    assert isinstance(found, dict)
    return found


# The certificate


def test_each_file_is_a_subject_by_its_digest(tree: Path) -> None:
    statement = json.loads(certify(tree).read_text("ascii"))
    files = sorted(file for file in tree.rglob("*") if file.is_file() and file.name != "certificate.json")
    expected = {str(file.relative_to(tree)): sha256(file.read_bytes()) for file in files}
    assert {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]} == expected
    assert len(statement["subject"]) == len(expected)


def test_the_content_of_a_compressed_file_has_a_digest_of_its_own(tree: Path) -> None:
    statement = json.loads(certify(tree).read_text("ascii"))
    files = {file["name"]: file for file in only(statement["predicate"], "host2/20240101")["files"]}
    packed = tree / "host2" / "20240101.0.xz"
    content = lzma.decompress(packed.read_bytes())
    assert files[packed.name]["compression"] == "xz"
    assert files[packed.name]["size"] == packed.stat().st_size
    assert files[packed.name]["content"] == {"size": len(content), "sha256": sha256(content)}
    plain = files["20240101.index"]
    assert plain["content"] == {"size": plain["size"], "sha256": plain["sha256"]}


def test_the_predicate_says_what_check_and_info_say(tree: Path) -> None:
    part(tree / "host1" / "20240101", "index").unlink()
    predicate = json.loads(certify(tree).read_text("ascii"))["predicate"]
    entry = only(predicate, "host1/20240101")
    report = json.loads(pmproof("check", "--format", "json", tree / "host1" / "20240101").stdout)
    (checked,) = report["archives"]
    assert predicate["catalogue"]["digest"] == report["tool"]["rules"]
    for member in ("readable", "conformant", "archive_version", "summary", "counts", "findings", "not_checked"):
        assert entry[member] == checked[member], member
    assert [finding["rule"] for finding in entry["findings"]] == ["ARC-1003"]
    (info,) = json.loads(pmproof("info", "--format", "json", tree / "host1" / "20240101").stdout)["archives"]
    assert entry["label"]["host"] == info["label"]["host"]
    assert predicate["created"] == "2027-01-15T08:00:00Z"
    assert predicate["totals"]["archives"] == 3 and predicate["totals"]["conformant"] == 3


def test_what_was_asked_is_recorded(tree: Path) -> None:
    words = ["--profile", "live", "--only", "label,index", "--rule", "-ARC-1904", "--fail-on", "warning", "--max-findings", "5"]
    predicate = json.loads(certify(tree, *words, tree).read_text("ascii"))["predicate"]
    assert predicate["terms"] == {
        "profile": "live",
        "only": ["label", "index"],
        "added": [],
        "removed": ["ARC-1904"],
        "fail_on": "warning",
        "max_findings": 5,
    }
    not_checked = only(predicate, "host1/20240101")["not_checked"]
    assert any("volumes" in item["rule"] for item in not_checked)
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


def test_a_damaged_archive_is_certified_as_that_and_gives_1(tree: Path) -> None:
    damage(tree / "host1" / "20240102")
    predicate = json.loads(certify(tree, status=1).read_text("ascii"))["predicate"]
    assert only(predicate, "host1/20240102")["verdict"] == "not readable"
    assert [archive["verdict"] for archive in predicate["archives"]] == ["conformant", "not readable", "conformant"]
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


def test_two_runs_are_equal_byte_for_byte_on_any_number_of_threads(tree: Path) -> None:
    first = certify(tree).read_bytes()
    assert certify(tree).read_bytes() == first
    assert certify(tree, "--jobs", "1", tree).read_bytes() == first
    assert certify(tree, "--jobs", "7", tree).read_bytes() == first


def test_arguments_that_overlap_name_each_archive_once(tree: Path) -> None:
    whole = json.loads(certify(tree).read_text("ascii"))
    again = certify(tree, tree / "host2", part(tree / "host1" / "20240101", "meta"), tree / "host1", tree / "host1" / "20240102")
    assert json.loads(again.read_text("ascii")) == whole


def test_what_is_not_below_the_root_is_wrong_usage(tree: Path, tmp_path: Path) -> None:
    done = pmproof("certify", "--output", tree / "host1" / "c.json", tree)
    assert done.returncode == 2 and "--root" in done.stderr
    done = pmproof("certify", "--root", tree, "--output", tmp_path / "c.json", tree / "host1", env=EPOCH)
    assert done.returncode == 0
    assert set(states(recheck(tmp_path / "c.json", tree))) == {"host1/20240101", "host1/20240102"}


def test_an_archive_that_cannot_be_checked_is_not_certified_and_the_others_are(tree: Path) -> None:
    for suffix in ("meta", "0", "index"):
        part(tree / "host1" / "text", suffix).write_text("this is no PCP archive, only a text of some length\n" * 20)
    done = pmproof("certify", "--output", tree / "c.json", tree, env=EPOCH)
    assert done.returncode == 4
    assert "host1/text: not certified" in done.stderr and "1 not certified" in done.stderr
    statement = json.loads((tree / "c.json").read_text("ascii"))
    entry = only(statement["predicate"], "host1/text")
    assert entry["verdict"] == "none" and entry["files"] == [] and entry["failure"]
    assert not [subject for subject in statement["subject"] if "text" in subject["name"]]
    assert states(recheck(tree / "c.json"))["host1/text"] == "not certified"


def test_nothing_to_certify_is_no_certificate(tmp_path: Path) -> None:
    done = pmproof("certify", "--output", tmp_path / "c.json", tmp_path)
    assert done.returncode == 4 and not list(tmp_path.iterdir())


def test_an_existing_file_is_replaced_only_by_force_and_an_archive_never(tree: Path) -> None:
    certificate = certify(tree)
    assert pmproof("certify", "--output", certificate, tree).returncode == 2
    volume = part(tree / "host1" / "20240101", "0")
    before = volume.read_bytes()
    assert pmproof("certify", "--output", volume, volume).returncode == 2
    assert pmproof("certify", "--force", "--output", volume, volume).returncode == 2
    assert volume.read_bytes() == before


def test_a_certificate_that_cannot_be_written_gives_5(tree: Path) -> None:
    command = [PMPROOF, "certify", "--root", str(tree), "--output", "-", str(tree)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 5 and b"could not be written" in done.stderr


def test_a_wrong_source_date_epoch_is_wrong_usage(tree: Path) -> None:
    done = pmproof("certify", "--output", tree / "c.json", tree, env={"SOURCE_DATE_EPOCH": "yesterday"})
    assert done.returncode == 2 and "SOURCE_DATE_EPOCH" in done.stderr


def test_both_forms_of_a_part_are_certified(tree: Path) -> None:  # ARC-1008
    volume = part(tree / "host1" / "20240101", "0")
    volume.with_name(volume.name + ".xz").write_bytes(lzma.compress(volume.read_bytes()))
    files = only(json.loads(certify(tree, status=1).read_text("ascii"))["predicate"], "host1/20240101")["files"]
    assert {file["name"]: file["judged"] for file in files} == {
        "20240101.0": True, "20240101.0.xz": False, "20240101.index": True, "20240101.meta": True,
    }  # fmt: skip
    assert set(states(recheck(tree / "certificate.json")).values()) == {"unchanged"}


@pytest.mark.parametrize("command", ["certify", "recheck"])
def test_the_schema_is_printed(command: str) -> None:
    assert json.loads(pmproof(command, "--schema").stdout) == (CERTIFICATE if command == "certify" else RECHECK)


def test_what_the_schemas_share_is_the_same_in_all() -> None:
    shared = REPORT["$defs"]
    for schema in (CERTIFICATE, RECHECK):
        for name in ("count", "rule_id", "severity", "status", "finding", "summary", "counts", "survival", "time"):
            assert schema["$defs"].get(name, shared[name]) == shared[name], name


# Years later


def test_an_untouched_tree_is_unchanged(tree: Path) -> None:
    report = recheck(certify(tree))
    assert states(report) == {"host1/20240101": "unchanged", "host1/20240102": "unchanged", "host2/20240101": "unchanged"}
    assert [archive["now"] for archive in report["archives"]] == ["conformant"] * 3


def test_a_certificate_moves_with_its_tree(tree: Path, tmp_path: Path) -> None:
    certify(tree)
    moved = tmp_path / "elsewhere"
    tree.rename(moved)
    assert set(states(recheck(moved / "certificate.json")).values()) == {"unchanged"}
    (moved / "certificate.json").rename(tmp_path / "c.json")
    assert set(states(recheck(tmp_path / "c.json", status=1)).values()) == {"missing"}
    assert "ROOT is the directory" in pmproof("recheck", tmp_path / "c.json").stderr
    assert set(states(recheck(tmp_path / "c.json", moved)).values()) == {"unchanged"}


def test_recompressed_from_xz_to_zstd_keeps_the_certificate(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.0.xz"
    plain = packed.with_suffix("")
    plain.write_bytes(lzma.decompress(packed.read_bytes()))
    packed.unlink()
    subprocess.run(["zstd", "-q", "--rm", plain], check=True)
    report = recheck(certificate)
    assert states(report)["host2/20240101"] == "recompressed"
    found = only(report, "host2/20240101")
    assert found["files"] == [{"name": "20240101.0.xz", "now": "20240101.0.zst", "state": "recompressed"}]
    # ARC-1012: older versions of PCP do not see it.
    assert [(one["change"], one["finding"]["rule"]) for one in found["differences"]] == [("new", "ARC-1012")]


def test_recompressed_under_the_same_name(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.meta.xz"
    packed.write_bytes(lzma.compress(lzma.decompress(packed.read_bytes()), preset=0, check=lzma.CHECK_CRC32))
    assert only(recheck(certificate), "host2/20240101")["files"] == [
        {"name": packed.name, "now": packed.name, "state": "recompressed"}
    ]


def test_one_bit_with_size_and_times_kept_is_seen(tree: Path) -> None:
    certificate = certify(tree)
    volume = part(tree / "host1" / "20240102", "0")
    before = volume.stat()
    flip(volume, 400, keep_times=True)
    assert (volume.stat().st_size, volume.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    found = only(recheck(certificate, status=1), "host1/20240102")
    assert found["state"] == "changed" and found["now"] is None
    assert found["files"] == [{"name": volume.name, "now": volume.name, "state": "changed"}]


def test_a_copy_shows_where_a_file_first_differs(tree: Path, tmp_path: Path) -> None:
    certificate = certify(tree)
    shutil.copytree(tree, tmp_path / "copy")
    compress(tmp_path / "copy" / "host1" / "20240102.0")
    flip(part(tree / "host1" / "20240102", "0"), 400)
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert found["first_difference"] == 400
    cut = part(tree / "host1" / "20240102", "0").stat().st_size - 7
    flip(part(tree / "host1" / "20240102", "0"), 400)
    os.truncate(part(tree / "host1" / "20240102", "0"), cut)
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert found["first_difference"] == cut


def test_a_copy_that_is_changed_too_proves_nothing(tree: Path, tmp_path: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    shutil.copytree(tree, tmp_path / "copy")
    (found,) = only(recheck("--copy", tmp_path / "copy", certificate, status=1), "host1/20240102")["files"]
    assert "first_difference" not in found and "not what was certified" in found["no_difference_because"]


def remove(*files: Path) -> None:
    for file in files:
        file.unlink()


@pytest.mark.parametrize(
    "change, state, files",
    [
        (lambda base: remove(part(base, "index")), "changed", [("20240102.index", "missing")]),
        (lambda base: shutil.copy(part(base, "0"), part(base, "1")), "changed", [("20240102.1", "new")]),
        (lambda base: remove(part(base, "0"), part(base, "meta"), part(base, "index")), "missing", None),
        (lambda base: part(base, "0").rename(part(base, "1")), "changed", [("20240102.0", "missing"), ("20240102.1", "new")]),
        (lambda base: part(base, "0").write_bytes(b""), "changed", [("20240102.0", "changed")]),
    ],
    ids=["lost", "added", "gone", "renamed", "emptied"],
)
def test_what_is_lost_or_added_is_seen(
    change: Callable[[Path], object], state: str, files: list[tuple[str, str]] | None, tree: Path
) -> None:
    certificate = certify(tree)
    change(tree / "host1" / "20240102")
    report = recheck(certificate, status=1)
    assert states(report) == {"host1/20240101": "unchanged", "host1/20240102": state, "host2/20240101": "unchanged"}
    if files is not None:
        assert [(file["name"], file["state"]) for file in only(report, "host1/20240102")["files"]] == files


def edit(certificate: Path, change: Callable[[Any], object]) -> Path:
    statement = json.loads(certificate.read_text("ascii"))
    change(statement)
    certificate.write_text(json.dumps(statement), "ascii")
    return certificate


def test_a_verdict_that_was_edited_is_seen_because_the_archive_is_judged_again(tree: Path) -> None:
    damage(tree / "host1" / "20240101")

    def whitewash(statement: Any) -> None:
        statement["predicate"]["archives"][0].update(verdict="conformant", findings=[])

    found = only(recheck(edit(certify(tree, status=1), whitewash), status=1), "host1/20240101")
    assert (found["state"], found["certified"], found["now"]) == ("unchanged", "conformant", "not readable")
    assert found["judged_otherwise"]
    assert ("new", "ARC-1202") in [(one["change"], one["finding"]["rule"]) for one in found["differences"]]


def test_rules_that_judge_otherwise_are_listed_by_rule_and_place(tree: Path) -> None:
    part(tree / "host1" / "20240101", "index").unlink()
    certificate = certify(tree)

    def as_if_by_other_rules(statement: Any) -> None:
        statement["predicate"]["catalogue"] = {"version": "0.1.9", "digest": "0123456789abcdef"}
        finding = statement["predicate"]["archives"][0]["findings"][0]
        statement["predicate"]["archives"][1]["findings"] = [finding | {"rule": "ARC-1805", "part": "0", "offset": 132, "file": "20240102.0"}]
        statement["predicate"]["archives"][0]["findings"] = []

    edit(certificate, as_if_by_other_rules)
    report = recheck(certificate)  # warnings: below --fail-on
    assert report["certificate"]["rules"] == "0123456789abcdef" != report["tool"]["rules"]
    first, second = (only(report, f"host1/2024010{number}")["differences"] for number in (1, 2))
    assert [(one["change"], one["finding"]["rule"]) for one in first] == [("new", "ARC-1003")]
    assert [(one["change"], one["finding"]["rule"], one["finding"]["offset"]) for one in second] == [("gone", "ARC-1805", 132)]
    assert report["footer"]["judged_otherwise"] == 2
    recheck("--fail-on", "warning", certificate, status=1)
    assert not any(archive["differences"] for archive in recheck("--digests-only", certificate)["archives"])
    text = pmproof("recheck", certificate).stdout
    assert "the rules have changed since" in text and "+ ARC-1003 warning" in text and "- ARC-1805 warning" in text


def test_the_text_says_it_to_a_person(tree: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    text = pmproof("recheck", certificate).stdout.splitlines()
    assert text[0] == f"{certificate}: made 2027-01-15T08:00:00Z by pmproof 0.2.0, SHA-256 {sha256(certificate.read_bytes())}"
    assert text[1:] == [
        "host1/20240101: unchanged, conformant",
        "host1/20240102: changed",
        "  20240102.0: changed",
        "host2/20240101: unchanged, conformant",
        "3 archives: 2 unchanged, 1 changed",
    ]
    assert pmproof("recheck", "--quiet", certificate).stdout.splitlines() == [*text[2:4], text[-1]]


def test_what_takes_too_much_memory_is_not_certified_and_gets_no_answer(tree: Path) -> None:
    certificate = certify(tree)
    packed = tree / "host2" / "20240101.0.xz"
    packed.write_bytes(lzma.compress(lzma.decompress(packed.read_bytes()), preset=9))  # a dictionary of 64 MiB
    found = only(recheck("--memory", "16M", certificate, status=6), "host2/20240101")
    assert (found["state"], found["failure"]["kind"], found["failure"]["file"]) == ("no answer", "budget", f"host2/{packed.name}")
    assert only(recheck(certificate), "host2/20240101")["state"] == "recompressed"
    done = pmproof("certify", "--memory", "16M", "--force", "--output", certificate, tree)
    assert done.returncode == 6 and "host2/20240101: not certified" in done.stderr and "--memory" in done.stderr
    assert states(recheck(certificate))["host2/20240101"] == "not certified"


def test_names_that_are_not_utf8_are_found_again(tmp_path: Path) -> None:
    strange = Path(os.fsdecode(b"h\xffst \\x41\n"))
    write_archive(tmp_path / "tree" / "a" / "b", 1)
    (tmp_path / "tree" / "a").rename(tmp_path / "tree" / strange)
    certificate = certify(tmp_path / "tree")
    assert set(states(recheck(certificate))) == {"h\\xffst \\x5cx41\n/b"}


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_the_report_does_not_depend_on_the_number_of_threads(jobs: str, tree: Path) -> None:
    certificate = certify(tree)
    flip(part(tree / "host1" / "20240102", "0"), 400)
    assert recheck("--jobs", jobs, certificate, status=1) == recheck(certificate, status=1)


def test_a_signature_by_openssl_is_verified_and_notices_an_edit(tree: Path, tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: qa/setup --test installs it")
    certificate = certify(tree)
    key, public, signature = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "certificate.sig"

    def openssl(*words: str | Path) -> int:
        return subprocess.run(["openssl", *words], capture_output=True, check=False).returncode

    assert openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key) == 0
    assert openssl("pkey", "-in", key, "-pubout", "-out", public) == 0
    assert openssl("dgst", "-sha256", "-sign", key, "-out", signature, certificate) == 0
    verify = ("dgst", "-sha256", "-verify", public, "-signature", signature, certificate)
    assert openssl(*verify) == 0
    edit(certificate, lambda statement: statement["predicate"].update(created="2020-01-01T00:00:00Z"))
    assert openssl(*verify) == 1


class TestPolicy:
    """The verdicts of a certificate can be those of a policy."""

    @pytest.fixture(name="kept")
    def fixture_kept(self, tmp_path: Path) -> Path:
        write_archive(tmp_path / "kept" / "a", scenario="counter-reset")
        return tmp_path / "kept"

    @staticmethod
    def policy(path: Path, *entries: str) -> Path:
        path.write_text('schema = "pmproof-policy/1"\n' + "".join(entries), encoding="ascii")
        return path

    RESETS = '[[reclassify]]\nrule = "ARC-1825"\nseverity = "error"\nreason = "billing"\nwhere = { archive = "a", metric = "counter_reset.total" }\n'
    NEEDS = '[[require]]\nmetrics = ["no.such"]\n'

    def certify(self, kept: Path, policy: Path, status: int = 1) -> Any:
        done = pmproof("certify", "--force", "--policy", policy, "--output", kept / "cert.json", kept, env=EPOCH)
        assert done.returncode == status, done.stderr
        certificate = json.loads((kept / "cert.json").read_text(encoding="utf-8"))
        jsonschema.validate(certificate, CERTIFICATE, jsonschema.Draft202012Validator)
        return certificate

    def test_the_certificate_names_the_policy_and_what_it_says(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        predicate = self.certify(kept, policy)["predicate"]
        assert predicate["policy"]["file"] == "policy.toml"
        assert predicate["policy"]["sha256"] == sha256(policy.read_bytes())
        assert [entry["archives"] for entry in predicate["policy"]["entries"]] == [1, 1]
        (archive,) = predicate["archives"]
        assert archive["verdict"] == "not conformant"
        assert archive["counts"]["error"] == 2
        assert [each["check"] for each in archive["unmet"]] == ["POL-101"]
        totals = [each["reclassified"]["from"] for each in archive["findings"] if each["severity"] == "error"]
        assert totals == ["warning"] * 2

    def test_what_is_certified_and_what_is_missing_is_said(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.NEEDS, self.RESETS.replace("total", "none"))
        done = pmproof("certify", "--policy", policy, "--output", kept / "cert.json", kept)
        assert done.returncode == 1
        assert "a: certified as conformant; policy: 1 requirement not met" in done.stderr
        assert "policy.toml, line 4: info POL-002: fits no finding" in done.stderr
        done = pmproof("certify", "--force", "--policy", policy, "--output", policy, kept)
        assert done.returncode == 2

    def test_recheck_judges_by_the_same_policy(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        self.certify(kept, policy)
        done = pmproof("recheck", kept / "cert.json")
        assert done.returncode == 2
        assert "archives were judged by the policy policy.toml (SHA-256 " in done.stderr
        assert pmproof("recheck", "--digests-only", kept / "cert.json").returncode == 0
        done = pmproof("recheck", "--policy", policy, kept / "cert.json")
        assert (done.returncode, done.stderr) == (0, "")
        assert ", the same as then\n" in done.stdout
        assert "a: unchanged, not conformant" in done.stdout

    def test_recheck_says_that_the_policy_differs(self, tmp_path: Path, kept: Path) -> None:
        first = self.policy(tmp_path / "policy.toml", self.RESETS, self.NEEDS)
        self.certify(kept, first)
        second = self.policy(tmp_path / "other.toml", self.NEEDS.replace("no.such", "still.none"))
        done = pmproof("recheck", "--policy", second, kept / "cert.json")
        assert done.returncode == 1
        assert "the policy differs: it was policy.toml (SHA-256 " in done.stdout
        assert "not conformant when it was certified, conformant now" in done.stdout
        assert '  - POL-101 error  there is no metric "no.such"  [only in the certificate]' in done.stdout
        assert '  + POL-101 error  there is no metric "still.none"  [only now]' in done.stdout
        done = pmproof("recheck", "--format", "json", "--policy", second, kept / "cert.json")
        report = json.loads(done.stdout)
        jsonschema.validate(report, RECHECK, jsonschema.Draft202012Validator)
        assert report["same_policy"] is False
        assert report["certificate"]["policy"] == {"file": "policy.toml", "sha256": sha256(first.read_bytes())}
        assert [each["change"] for each in report["archives"][0]["unmet"]] == ["gone", "new"]

    def test_the_profile_of_the_policy_is_that_of_the_certificate(self, tmp_path: Path, kept: Path) -> None:
        policy = self.policy(tmp_path / "policy.toml", 'profile = "ingest"\n')
        assert self.certify(kept, policy, status=0)["predicate"]["terms"]["profile"] == "ingest"
        assert pmproof("recheck", "--policy", policy, kept / "cert.json").returncode == 0
