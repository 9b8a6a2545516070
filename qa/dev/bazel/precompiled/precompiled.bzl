# SPDX-License-Identifier: Apache-2.0
"""Headers that g++ reads once for many files: reading them is a third of what compiling a file costs, a quarter for a test.

A file still includes what it uses: clang (qa/fuzz, qa/lint) compiles without this. g++ takes what is precompiled only where most flags are those it was made with;
elsewhere (-fPIC) it reads the headers, which is slower and not wrong.
"""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _precompiled_headers_impl(ctx):
    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(["#include <%s>\n" % each for each in ctx.attr.headers]))
    precompiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        # .bazelrc gives -Wpedantic to our files; it changes what is predefined, and g++ compares that.
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ["-Wpedantic"] + ctx.attr.copts,
        quote_include_directories = context.quote_includes,
        include_directories = context.includes,
        system_include_directories = context.system_includes,
        # As Bazel decides for the files of a program.
        use_pic = ctx.var["COMPILATION_MODE"] != "opt" and toolchain.needs_pic_for_dynamic_libraries(feature_configuration = features),
    )
    arguments = {"feature_configuration": features, "action_name": "c++-compile"}
    flags = cc_common.get_memory_inefficient_command_line(variables = variables, **arguments)
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(**arguments),
        arguments = flags + ["-x", "c++-header", "-c", header.path, "-o", precompiled.path],
        env = cc_common.get_environment_variables(variables = variables, **arguments),
        inputs = depset([header], transitive = [toolchain.all_files, context.headers]),
        outputs = [precompiled],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling " + header.short_path,
    )
    files = depset([header, precompiled])
    return [
        DefaultInfo(files = files),
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = files)),
    ]

precompiled_headers = rule(
    implementation = _precompiled_headers_impl,
    attrs = {
        "headers": attr.string_list(mandatory = True, doc = "As they stand between the angle brackets of #include."),
        "copts": attr.string_list(doc = "What the files have of their own: with another -O g++ takes them all the same, and may crash."),
        "deps": attr.label_list(providers = [CcInfo], doc = "Libraries of which they are."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
