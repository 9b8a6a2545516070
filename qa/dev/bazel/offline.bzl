# SPDX-License-Identifier: Apache-2.0
"""The repositories Bazel would download for even the plainest target, made from what is on this machine.

Debian's Bazel 4.2.3 fetches rules_cc, rules_java, rules_proto and remote_coverage_tools as soon as a cc_* rule or a
test is built. Here each is a few generated lines that hand out Bazel's own native rules, so nothing is fetched.
"""

_NATIVE_RULES = {
    "rules_cc": ("cc", "cc_binary cc_import cc_library cc_proto_library cc_test cc_toolchain cc_toolchain_suite objc_library"),
    "rules_java": ("java", "java_binary java_import java_library java_proto_library java_runtime java_test java_toolchain"),
    "rules_proto": ("proto", "proto_lang_toolchain proto_library"),
    "rules_python": ("python", "py_binary py_library py_runtime py_test"),
}

def _native_rules_impl(ctx):
    lines = ["%s = native.%s" % (rule, rule) for rule in ctx.attr.rules]
    ctx.file("BUILD", "")
    ctx.file(ctx.attr.folder + "/BUILD", "")
    ctx.file(ctx.attr.folder + "/defs.bzl", "\n".join(lines) + "\n")

_native_rules = repository_rule(
    implementation = _native_rules_impl,
    attrs = {"folder": attr.string(), "rules": attr.string_list()},
)

def _coverage_tools_impl(ctx):
    ctx.file("merger.sh", "#!/bin/sh\nexec /usr/bin/python3 -B %s \"$@\"\n" % ctx.path(ctx.attr.merger), executable = True)
    ctx.file("BUILD", "\n".join([
        "sh_binary(name = \"%s\", srcs = [\"merger.sh\"], visibility = [\"//visibility:public\"])" % name
        for name in ["lcov_merger", "coverage_report_generator", "Main"]
    ]) + "\n")

_coverage_tools = repository_rule(
    implementation = _coverage_tools_impl,
    attrs = {"merger": attr.label(default = "//qa/dev/bazel:coverage_merger.py")},
)

def offline_repositories():
    """Declares every repository that Bazel itself asks for. Must be called first in WORKSPACE."""
    for name, (folder, rules) in _NATIVE_RULES.items():
        _native_rules(name = name, folder = folder, rules = rules.split(" "))
    _coverage_tools(name = "remote_coverage_tools")
