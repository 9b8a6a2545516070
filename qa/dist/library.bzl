# SPDX-License-Identifier: Apache-2.0
"""A static library for programs that are built elsewhere.

    library_for_others(name = "library", headers = ["reference/archive/storage.h", ...], deps = ["//reference/archive:source", ...])

It makes a folder `name`: lib/libpmproof.a with the objects of `deps` and of all they depend on in this workspace, and
include/pmproof/ with `headers` and what they include of this workspace, under the paths that they have here.
bazel build --output_groups=alone compiles each of these headers by itself, with warnings as errors: what qa/lint runs.
"""

def _objects(linker_input):
    """The objects of one target; those for shared libraries only where it has no others."""
    objects = []
    for library in linker_input.libraries:
        of_library = library.objects or library.pic_objects
        if of_library == None:
            fail("%s: objects are wanted, not an archive" % linker_input.owner)
        objects.extend(of_library)
    return objects

_ALONE = """
export PATH=/usr/bin:/bin
stamp=$PWD/$2
cd "$1/include/pmproof"
find . -name '*.h' -printf '%P\\n' | sort | xargs -P "$(nproc)" -I '{}' sh -c '
  echo "#include \\"{}\\"" | g++ -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I. -xc++ - ||
    { echo "{} does not compile by itself" >&2; exit 1; }' && touch "$stamp"
"""

def _library_for_others_impl(ctx):
    folder = ctx.actions.declare_directory(ctx.label.name)
    infos = [dep[CcInfo] for dep in ctx.attr.deps]
    inputs = depset(transitive = [info.linking_context.linker_inputs for info in infos]).to_list()

    # What Debian packages is linked by whoever uses the library.
    objects = [object for one in inputs if not one.owner.workspace_name for object in _objects(one)]
    headers = [
        header
        for header in depset(transitive = [info.compilation_context.headers for info in infos]).to_list()
        if not header.short_path.startswith("../")
    ]
    arguments = ctx.actions.args()
    arguments.use_param_file("@%s", use_always = True)
    arguments.set_param_file_format("multiline")
    arguments.add(folder.path, format = "--into=%s")
    arguments.add_all(objects, format_each = "--object=%s")
    arguments.add_all(["%s=%s" % (header.short_path, header.path) for header in headers], format_each = "--known=%s")
    arguments.add_all(ctx.attr.headers, format_each = "--header=%s")
    ctx.actions.run(
        inputs = objects + headers,
        outputs = [folder],
        executable = ctx.executable._collect,
        arguments = [arguments],
        mnemonic = "LibraryForOthers",
    )
    alone = ctx.actions.declare_file(ctx.label.name + ".alone")
    ctx.actions.run_shell(
        inputs = [folder],
        outputs = [alone],
        command = _ALONE,
        arguments = [folder.path, alone.path],
        mnemonic = "HeadersAlone",
    )
    return [
        DefaultInfo(files = depset([folder]), runfiles = ctx.runfiles([folder])),
        OutputGroupInfo(alone = depset([alone])),
    ]

library_for_others = rule(
    implementation = _library_for_others_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "headers": attr.string_list(mandatory = True),
        "_collect": attr.label(default = "//qa/dist:collect_library", executable = True, cfg = "exec"),
    },
)
