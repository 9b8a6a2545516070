# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/dev/sanitizers/run."""

import argparse
import datetime
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from qa.dev.runs import last_run
from qa.dev.sanitizers import outcome, results

_ROOT = Path(__file__).resolve().parents[3]
_README = Path(__file__).with_name("README.md")
_INTERRUPTED = 8
_ORDER = ("reference", "generators", "validator", "golden", "qa")
# ThreadSanitizer has something to find where more than one thread runs: in these folders, and in the commands that they make up.
_THREADS = (
    "qa/fleet",
    "reference/archive",
    "reference/pmda",
    "validator/agent",
    "validator/check",
    "validator/cli",
    "validator/collector",
    "validator/custody",
    "validator/dbpmda",
    "validator/info",
    "validator/policy",
    "validator/protocol_check",
    "validator/rules_diff",
    "validator/tests",
)
# They check archives in their own process, with one thread.
_ONE_THREAD = "//validator/tests/"

_EPILOG = """\
What comes of a folder goes into results.json and the table of the README when its tests have ended, so that a run that
was interrupted, or is given only some folders, leaves what it found. --missing goes on with the folders of which nothing
is recorded, or not that all passed, at whatever commit. Status: 0 all passed; 1 a test failed or was not run; 2 wrong usage; 8 interrupted.
"""


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    all_tests = {name: _tests(name) for name in options.only or results.SANITIZERS}
    unknown = set(options.folders) - {folder for by_folder in all_tests.values() for folder in by_folder}
    if unknown:
        print(f"run: no tests in {', '.join(sorted(unknown))}; there are some in {', '.join(next(iter(all_tests.values())))}", file=sys.stderr)
        return 2
    worst = 0
    for name, by_folder in all_tests.items():
        wanted = options.folders or [folder for folder in by_folder if name != "tsan" or folder in _THREADS]
        recorded = results.load().get(name, {})
        for folder in wanted:
            if options.missing and folder in recorded and results.is_sound(recorded[folder]):
                continue
            targets = [label for label in by_folder[folder] if name != "tsan" or not label.startswith(_ONE_THREAD)]
            worst = max(worst, _run(name, folder, targets, options.jobs))
            if worst == _INTERRUPTED:
                return worst
    return worst


def _tests(name: str) -> dict[str, list[str]]:
    """The tests of each folder, those first that others build on. Those are left out that limit memory to less than a sanitizer
    takes for itself, or measure it, or pack the program, and those that the sanitizer of that name makes impossible."""
    query = ["bazel", "query", "--noshow_progress", rf"tests(//...) except attr(tags, '\b(manual|no-sanitizer|no-{name})\b', //...)"]
    labels = subprocess.run(query, cwd=_ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    by_folder: dict[str, list[str]] = {}
    for label in sorted(labels, key=_place):
        by_folder.setdefault("/".join(label[2:].split(":")[0].split("/")[:2]), []).append(label)
    return by_folder


def _place(label: str) -> tuple[int, str]:
    top = label[2:].split(":")[0].split("/")[0]
    return _ORDER.index(top) if top in _ORDER else len(_ORDER), label


def _run(name: str, folder: str, targets: list[str], jobs: int | None) -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        events = Path(temporary) / "events.json"
        command = ["bazel", "test", f"--config={name}", "--keep_going", "--test_summary=none", "--show_result=0"]
        command += ["--test_timeout=600,1800,3600,7200", "--test_env=PMPROOF_PATIENCE=600", f"--build_event_json_file={events}"]
        command += [f"--jobs={jobs}"] if jobs else []
        done = subprocess.run([*command, "--", *targets], cwd=_ROOT, env=_environment(), check=False)
        if done.returncode == _INTERRUPTED or not events.is_file():
            return _INTERRUPTED
        found = outcome.read(events)
    rows = results.load()
    minutes = round((time.monotonic() - began) / 60)
    row = results.row(found, date=datetime.date.today().isoformat(), commit=_commit(), minutes=minutes)
    rows.setdefault(name, {})[folder] = row
    results.save(rows)
    _README.write_text(last_run.into(_README.read_text(encoding="utf-8"), results.markdown(rows)), encoding="utf-8")
    for label, word in {**found.failed, **found.not_run}.items():
        print(f"{name}: {label}: {word}")
    print(f"{name} {folder}: {len(found.passed)} passed, {len(found.failed)} failed, {len(found.not_run)} not run", flush=True)
    return 0 if found.passed and not found.failed and not found.not_run else 1


def _environment() -> dict[str, str]:
    """As qa/test sets it: tests see neither HOME nor what lies beside the workspace."""
    environment = dict(os.environ)
    environment.setdefault("PMPROOF_PEERS", str(Path.home() / ".cache/pmproof/peers"))
    shared = _ROOT.parent / "shared"
    if (shared / "archives").is_dir():
        environment.setdefault("PMPROOF_SHARED", str(shared.resolve()))
    return environment


def _commit() -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=_ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout

    # What the last run wrote here is not a change of what is tested.
    changed = git("status", "--porcelain", "--", ".", ":!qa/dev/sanitizers/README.md", ":!qa/dev/sanitizers/results.json")
    return git("rev-parse", "--short", "HEAD").strip() + (" with changes" if changed else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run",
        description="Runs all tests, or those of the folders named, under AddressSanitizer (with UndefinedBehaviorSanitizer); those with threads under ThreadSanitizer.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="such as validator/check (default: all that have tests; for tsan those that start threads)")
    parser.add_argument("--missing", action="store_true", help="leave out the folders of which it is recorded that all passed")
    parser.add_argument("--only", action="append", choices=results.SANITIZERS, help="one sanitizer; may be repeated")
    parser.add_argument("--jobs", type=int, help="actions at a time (default: as many as Bazel wants)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
