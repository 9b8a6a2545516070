# SPDX-License-Identifier: Apache-2.0
"""Tests for the BUILD files of those who write PCP archives or read them, in this workspace or another (README.md).

    load("@pmproof//qa/ci:defs.bzl", "pmproof_archive_test", "pmproof_conformance_test")
"""

_PMPROOF = Label("//validator:pmproof")
_SUITE = Label("//qa/ci:suite")

def _words(option, values):
    return ["%s=%s" % (option, value) for value in values]

def pmproof_archive_test(
        name,
        archives,
        fail_on = None,
        profile = None,
        only = [],
        rules = [],
        pmproof = _PMPROOF,
        size = "small",
        **kwargs):
    """Passes if all archives are conformant. Each archive is a case of the JUnit report.

    Args:
      name: of the test.
      archives: files of the archives, or targets that make them; all files of each.
      fail_on: "error" (the default), "warning" or "info".
      profile: "archival" (the default), "live" or "ingest".
      only: parts of archives, such as ["label", "index"].
      rules: rules left out or checked beside, such as ["-ARC-1104"].
      pmproof: the program, where it is not to be built from its sources.
      size: of the test.
      **kwargs: handed to the test.
    """
    if not archives:
        fail("%s: no archives: a test of nothing would pass" % name)
    options = []
    if fail_on:
        options += _words("--fail-on", [fail_on])
    if profile:
        options += _words("--profile", [profile])
    if only:
        options += _words("--only", [",".join(only)])
    native.sh_test(
        name = name,
        size = size,
        srcs = [Label("//qa/ci:archive_test.sh")],
        args = ["$(rootpath %s)" % pmproof] + options + _words("--rule", rules) + ["$(rootpaths %s)" % each for each in archives],
        data = archives + [pmproof],
        **kwargs
    )

def pmproof_conformance_test(
        name,
        implementation = None,
        adapter = None,
        adapter_args = [],
        cases = [],
        clauses = [],
        operations = [],
        expect = None,
        pmproof = _PMPROOF,
        size = "large",
        **kwargs):
    """Passes if an implementation answers the golden cases as it should. Each case is one of the JUnit report.

    Args:
      name: of the test.
      implementation: as in `suite run`: "reference", "pcp:/", "exec:COMMAND" ...; or
      adapter: a program that speaks the testee protocol, a target.
      adapter_args: its arguments.
      cases: only these, such as ["replay/set-*"].
      clauses: only cases of these, such as ["INT-15*"].
      operations: only these, such as ["replay.*"].
      expect: the list of expected failures, a file.
      pmproof: the program that is the reference, where it is not to be built from its sources.
      size: of the test.
      **kwargs: handed to the test.
    """
    if (implementation == None) == (adapter == None):
        fail("%s: give an implementation or an adapter" % name)
    data = [_SUITE]
    environment = "-"
    if adapter:
        data.append(adapter)
        asked = "exec:$(rootpath %s)" % adapter
        for argument in adapter_args:
            asked += " " + argument
    else:
        asked = implementation
    if implementation == "reference":
        data.append(pmproof)
        environment = "$(rootpath %s)" % pmproof
    options = _words("--case", cases) + _words("--clause", clauses) + _words("--op", operations)
    if expect:
        data.append(expect)
        options.append("--expect=$(rootpath %s)" % expect)
    native.sh_test(
        name = name,
        size = size,
        srcs = [Label("//qa/ci:conformance_test.sh")],
        args = ["$(rootpath %s)" % _SUITE, environment, "'%s'" % asked] + ["'%s'" % option for option in options],
        data = data,
        **kwargs
    )
