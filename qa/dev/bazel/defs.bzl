# SPDX-License-Identifier: Apache-2.0
"""The rules that pmproof's BUILD files use, all loaded from here: one place for defaults.

    load("//qa/dev/bazel:defs.bzl", "cc_binary", "cc_library", "cc_test", "embed", "embed_each", "fuzz_test", "pytest_test")
"""

load("@rules_cc//cc:defs.bzl", _cc_binary = "cc_binary", _cc_library = "cc_library", _cc_test = "cc_test")
load("@rules_python//python:defs.bzl", "py_test")

def _own_headers(name, kwargs):
    # Bazel turns `includes` into -isystem, which would switch off the warnings of our own headers.
    if "includes" in kwargs:
        fail("%s: no 'includes'; write #include \"path/from/the/workspace.h\"" % name)

# What waits for a person, an agent or a disk needs no -O2, and -Og compiles in two thirds of the time.
_COLD = ["qa"] + ["generators/" + folder for folder in [
    "agent",
    "description",
    "mutations",
]] + ["reference/pmda/" + folder for folder in [
    "dso",
    "names",
]] + ["validator/" + folder for folder in [
    "agent",
    "agent_bench",
    "agent_files",
    "bisect",
    "catalogue",
    "check/report",
    "cli",
    "collector",
    "custody",
    "dbpmda",
    "derived",
    "derived_diff",
    "doctor",
    "info",
    "metrics",
    "output",
    "policy",
    "protocol_check",
    "rules_diff",
    "synthesis",
    "testee",
    "tool_output",
    "triage",
]]

def _is_cold():
    package = native.package_name()
    return len([cold for cold in _COLD if package == cold or package.startswith(cold + "/")]) > 0

def _precompiled(name, kwargs, optimization = []):
    """Returns kwargs with the precompiled headers of that name before each file, which g++ wants to have the same optimization."""
    package = "qa/dev/bazel/precompiled"
    off = "//%s:off" % package

    # After precompiled headers gcc 12 no longer knows that std::string is not ours, and shows what it falsely supposes of it.
    # With that much memory it seldom looks for garbage, which took a fifteenth of the time.
    flags = ["-include", "%s/%s.h" % (package, name), "--param=ggc-min-heapsize=393216", "-Wno-array-bounds", "-Wno-stringop-overflow", "-Wno-stringop-overread"]
    added = dict(kwargs)
    added["deps"] = kwargs.get("deps", []) + select({off: [], "//conditions:default": ["//%s:%s" % (package, name)]})
    added["copts"] = optimization + select({off: [], "//conditions:default": flags}) + kwargs.get("copts", [])
    return added

def _program(kwargs, json):
    own_optimization = [flag for flag in kwargs.get("copts", []) if flag.startswith("-O")]
    if own_optimization or not kwargs.get("srcs"):
        return kwargs
    if json:
        return _precompiled("for_json", kwargs, ["-Og"])
    if _is_cold():
        return _precompiled("for_cold_programs", kwargs, ["-Og"])
    return _precompiled("for_programs", kwargs)

# Files of one target that are compiled as one: most of what compiling a small file takes is reading headers.
_FILES_IN_A_UNIT = 16

def _in_units(name, kwargs):
    """Returns kwargs with the files of srcs put together into few; --define=units=off leaves them alone."""
    srcs = kwargs.get("srcs", [])
    if type(srcs) != "list":
        return kwargs
    sources = [src for src in srcs if src.endswith(".cc")]
    count = -(-len(sources) // _FILES_IN_A_UNIT)
    if count == len(sources):
        return kwargs
    units = []
    for number in range(count):
        files = sources[number * len(sources) // count:(number + 1) * len(sources) // count]
        unit = "%s_unit_%d" % (name, number)
        native.genrule(
            name = unit,
            srcs = files,
            outs = [unit + ".cc"],
            cmd = "/usr/bin/python3 -B -S $(execpath //qa/dev/bazel:one_unit.py) $@ $(SRCS)",
            exec_tools = ["//qa/dev/bazel:one_unit.py"],
            testonly = kwargs.get("testonly", False),
            visibility = ["//visibility:private"],
        )
        units.append(unit + ".cc")
    added = dict(kwargs)
    added["srcs"] = [src for src in srcs if src not in sources] + select({
        "//qa/dev/bazel:without_units": sources,
        "//conditions:default": units,
    })

    # g++ takes a class of a source file for one of a header there, and warns of members whose types are of an unnamed namespace.
    added["copts"] = kwargs.get("copts", []) + select({
        "//qa/dev/bazel:without_units": [],
        "//conditions:default": ["-Wno-subobject-linkage"],
    })
    return added

def cc_library(name, json = False, **kwargs):
    """Bazel's, with what most files include read once; `json`: works with JSON documents, which no hot code does."""
    _own_headers(name, kwargs)

    # Without it bazel build //... also makes a shared library of each, and compiles every file twice for that.
    _cc_library(name = name, **_in_units(name, _program(dict({"linkstatic": True}, **kwargs), json)))

def cc_binary(name, libc_alone = False, **kwargs):
    """Bazel's; `libc_alone`: its linker finds archives before it finds shared libraries.

    Such a program runs where those are not, and starts in half of the time. With a sanitizer it is linked as all others are: its
    library has to come before that of C++.
    """
    _own_headers(name, kwargs)
    if libc_alone:
        off = "//qa/dev/bazel:shared_libraries"
        kwargs["additional_linker_inputs"] = select({off: [], "//conditions:default": ["@system//:static"]})
        kwargs["linkopts"] = select({off: [], "//conditions:default": ["-Lexternal/system/static", "-static-libgcc"]})
    _cc_binary(name = name, **_in_units(name, _program(kwargs, json = False)))

def cc_test(name, deps = [], size = "small", **kwargs):
    """A GoogleTest program; gtest, gmock and main() are linked in. For properties add @system//:rapidcheck to deps."""
    _own_headers(name, kwargs)
    kwargs["deps"] = deps + ["@system//:gtest_main"]
    headers = "for_property_tests" if "@system//:rapidcheck" in deps else "for_tests"
    _cc_test(name = name, size = size, **_in_units(name, _precompiled(headers, dict(testonly = True, **kwargs), ["-Og"])))

def fuzz_test(name, srcs, deps = [], corpus = [], dict = None, size = "medium", **kwargs):
    """A libFuzzer target (srcs define LLVMFuzzerTestOneInput) and its seed corpus, as two tests.

    `name` fuzzes, starting from the corpus, for PMPROOF_FUZZ_SECONDS (5). It is manual and needs --config=fuzz:
    run it with qa/fuzz. `name`_corpus is an ordinary test, part of every run: it hands each file of the corpus to
    the target once, so seeds and past findings stay passing with any compiler and sanitizer.

    Args:
      name: of the fuzzing test.
      srcs: sources of the target.
      deps: its libraries.
      corpus: files, or targets that stand for files, to start from.
      dict: a libFuzzer dictionary file.
      size: size of the fuzzing test.
      **kwargs: handed to both programs.
    """
    _own_headers(name, kwargs)
    _cc_binary(
        name = name + "_fuzzer",
        testonly = True,
        srcs = srcs,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = deps,
        **kwargs
    )
    dicts = [dict] if dict else []
    native.sh_test(
        name = name,
        size = size,
        srcs = ["//qa/dev/bazel:fuzz.sh"],
        args = ["$(location :%s_fuzzer)" % name, "$(location %s)" % dict if dict else "-"] +
               ["$(locations %s)" % files for files in corpus],
        data = [":%s_fuzzer" % name] + dicts + corpus,
        tags = ["fuzz", "manual"],
    )
    _cc_test(
        name = name + "_corpus",
        size = "small",
        srcs = srcs,
        args = ["$(locations %s)" % files for files in corpus],
        data = corpus,
        deps = deps + ["//qa/dev/bazel:corpus_main"],
        **kwargs
    )

def pytest_test(name, srcs, deps = [], data = [], args = [], size = "small", **kwargs):
    """Runs the given files with Debian's pytest. shard_count, --test_filter (pytest's -k) and JUnit output work.

    Modules are imported by their path from the workspace (`from qa.suite import runner`). The programs in `data` are
    found through `env`, for example env = {"PMPROOF": "$(rootpath //validator:pmproof)"}.
    """
    py_test(
        name = name,
        size = size,
        srcs = srcs + ["//qa/dev/bazel:pytest_main.py"],
        main = "//qa/dev/bazel:pytest_main.py",
        args = ["$(location %s)" % src for src in srcs if src.endswith("_test.py") or src.startswith("test_")] + args,
        data = data,
        legacy_create_init = 0,
        deps = deps,
        **kwargs
    )

def _embedding(name, srcs, namespace):
    native.genrule(
        name = name + "_sources",
        srcs = srcs,
        outs = [name + ".h", name + ".cc"],
        cmd = "/usr/bin/python3 -B $(execpath //qa/dev/bazel:embed.py) --package='%s' --name=%s --namespace=%s --header=$(execpath %s.h) --source=$(execpath %s.cc) $(SRCS)" % (
            native.package_name(),
            name,
            namespace,
            name,
            name,
        ),
        exec_tools = ["//qa/dev/bazel:embed.py"],
        visibility = ["//visibility:private"],
    )

def embed(name, srcs, namespace, **kwargs):
    """A cc_library `name` that carries the contents of files.

    Its header "<package>/<name>.h" declares, in `namespace`,

        std::span<const pmproof::EmbeddedFile> <name>();   // {std::string_view path, content}, sorted by path

    where path is relative to this package. Contents live as long as the program.

    Args:
      name: of the library, the header and the function (snake_case).
      srcs: the files.
      namespace: C++ namespace of the function, such as "pmproof::spec".
      **kwargs: handed to the cc_library.
    """
    _embedding(name, srcs, namespace)
    _cc_library(name = name, srcs = [name + ".cc"], hdrs = [name + ".h"], **kwargs)

def embed_each(name, files, namespace, **kwargs):
    """A cc_library `name` of several that embed() would make of one file each, compiled together.

    Args:
      name: of the library.
      files: for each header and function, the file that it carries.
      namespace: C++ namespace of the functions.
      **kwargs: handed to the cc_library.
    """
    for own, src in files.items():
        _embedding(own, [src], namespace)
    cc_library(
        name = name,
        srcs = [own + ".cc" for own in files],
        hdrs = [own + ".h" for own in files],
        **kwargs
    )
