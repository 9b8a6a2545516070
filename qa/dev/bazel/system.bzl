# SPDX-License-Identifier: Apache-2.0
"""Debian's libraries as targets: @system//:gtest, @system//:zlib, ...

@system//:static has the same libraries, and that of C++, as archives for a program that is to run elsewhere.

Only the wanted headers are linked into the repository, one folder for each library, so that a target sees no header
of a library it does not depend on and /usr/include itself never comes onto the include path (which would break
`#include_next`). Where a package is not installed, only targets that need it fail, and say which package to install.
"""

# name: (Debian packages, what to link from the include folders, link options, further libraries of this table)
_LIBRARIES = {
    "benchmark": ("libbenchmark-dev", ["benchmark"], ["-lbenchmark", "-lpthread"], []),
    "bzip2": ("libbz2-dev", ["bzlib.h"], ["-lbz2"], []),
    "cli11": ("libcli11-dev", ["CLI"], [], []),
    "crypto": ("libssl-dev", ["openssl"], ["-lcrypto"], []),
    "expected": ("libexpected-dev", ["tl"], [], []),
    "gtest": ("libgtest-dev libgmock-dev", ["gtest", "gmock"], ["-lgmock", "-lgtest", "-lpthread"], []),
    "gtest_main": ("libgtest-dev libgmock-dev", [], ["-lgmock_main"], ["gtest"]),
    "lzma": ("liblzma-dev", ["lzma.h", "lzma"], ["-llzma"], []),
    "nlohmann_json": ("nlohmann-json3-dev", ["nlohmann"], [], []),
    "rapidcheck": ("librapidcheck-dev", ["rapidcheck.h", "rapidcheck"], ["-lrapidcheck"], ["gtest"]),
    "xxhash": ("libxxhash-dev", ["xxhash.h", "xxh3.h"], ["-lxxhash"], []),
    "zlib": ("zlib1g-dev", ["zlib.h", "zconf.h"], ["-lz"], []),
    "zstd": ("libzstd-dev", ["zstd.h", "zstd_errors.h", "zdict.h"], ["-lzstd"], []),
}

# Of what the program is linked with.
_STATIC = ["bz2", "crypto", "lzma", "stdc++", "xxhash", "z", "zstd"]

_LIBRARY = """
cc_library(
    name = "{name}",
    hdrs = glob(["{name}/**"]){missing_hdrs},
    includes = ["{name}"],
    linkopts = {linkopts},
    deps = {deps},
)
"""

_MISSING = """
genrule(
    name = "{name}_missing",
    outs = ["{name}_missing.h"],
    cmd = "echo 'pmproof: install the package(s) {packages} (or run qa/setup), then run: bazel sync --only=system' >&2; exit 1",
)
"""

def _link_header(ctx, header, to):
    """Links a header, or a folder of them, to a path; returns whether there is one."""
    found = []
    for folder in ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"]:
        path = ctx.path(folder + "/" + header)
        if path.exists:
            found.append(path)
    if len(found) == 1:
        ctx.symlink(found[0], to)
    else:  # a folder, part of which depends on the machine
        for path in found:
            for file in path.readdir():
                ctx.symlink(file, to + "/" + file.basename)
    return len(found) > 0

def _link_archives(ctx):
    """Links the static libraries into one folder, in which a linker finds nothing else."""
    for name in _STATIC:
        found = ctx.execute(["/usr/bin/gcc", "-print-file-name=lib%s.a" % name]).stdout.strip()
        if found.startswith("/"):
            ctx.symlink(found, "static/lib%s.a" % name)

def _system_libraries_impl(ctx):
    build = ["load(\"@rules_cc//cc:defs.bzl\", \"cc_library\")\n\npackage(default_visibility = [\"//visibility:public\"])\n"]
    _link_archives(ctx)
    build.append("filegroup(name = \"static\", srcs = glob([\"static/*.a\"]))")
    for name, (packages, headers, linkopts, deps) in _LIBRARIES.items():
        missing = False
        for header in headers:
            if not _link_header(ctx, header, name + "/" + header):
                missing = True
        if missing:
            build.append(_MISSING.format(name = name, packages = packages))
        build.append(_LIBRARY.format(
            name = name,
            missing_hdrs = " + [\"%s_missing.h\"]" % name if missing else "",
            linkopts = linkopts,
            deps = [":" + dep for dep in deps],
        ))
    ctx.file("BUILD", "\n".join(build))

system_libraries = repository_rule(
    implementation = _system_libraries_impl,
    local = True,
)
