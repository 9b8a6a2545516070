# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over our own sources, one cached and sandboxed action for each file: bazel build --config=tidy //..."""

def _flags(context):
    # A switch over an enum of ours names all of it and has no default, so that the compiler tells where a new one is missing.
    flags = ["-std=c++20", "-xc++", "-Wswitch-enum", "-Wcovered-switch-default"]
    flags += ["-D" + define for define in context.defines.to_list() + context.local_defines.to_list()]
    for path in context.quote_includes.to_list():
        flags += ["-iquote", path]
    for path in context.includes.to_list():
        flags.append("-I" + path)
    for path in context.system_includes.to_list():
        flags += ["-isystem", path]
    return flags

def _clang_tidy_impl(target, ctx):
    if CcInfo not in target or not hasattr(ctx.rule.attr, "srcs") or target.label.workspace_name:
        return []
    context = target[CcInfo].compilation_context
    stamps = []
    for source in ctx.rule.files.srcs:
        if not source.is_source or source.extension != "cc":
            continue
        stamp = ctx.actions.declare_file("%s.%s.tidy" % (target.label.name, source.basename))
        ctx.actions.run_shell(
            inputs = depset([source, ctx.file._config], transitive = [context.headers]),
            outputs = [stamp],
            mnemonic = "ClangTidy",
            progress_message = "clang-tidy " + source.short_path,
            # Its standard error only counts the warnings of foreign headers, unless it could not run.
            command = """
config=$1 source=$2 stamp=$3; shift 3
clang-tidy --quiet --config-file="$config" "$source" -- "$@" >"$stamp" 2>"$stamp.errors" && exit
sed "s|$PWD/||g" "$stamp"; grep -v 'warnings\\? generated' "$stamp.errors"; exit 1""",
            arguments = [ctx.file._config.path, source.path, stamp.path] + _flags(context),
        )
        stamps.append(stamp)
    return [OutputGroupInfo(tidy = depset(stamps))]

clang_tidy = aspect(
    implementation = _clang_tidy_impl,
    attrs = {"_config": attr.label(default = "//:.clang-tidy", allow_single_file = True)},
)
