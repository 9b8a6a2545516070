# SPDX-License-Identifier: Apache-2.0
"""No name stands for two types of C++ in one program."""

from pathlib import Path

from qa.dev.one_definition.types import defined, defined_twice

# Sources are everywhere in the workspace, most of them not among the data of this test.
ROOT = Path("README.md").resolve().parent
FOLDERS = ("reference", "validator", "generators", "qa")


def test_no_type_of_the_workspace_is_defined_in_two_files() -> None:
    found = [path for folder in FOLDERS for suffix in ("cc", "h") for path in (ROOT / folder).rglob(f"*.{suffix}")]
    files = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in found}
    assert len(files) > 1000
    assert defined_twice(files) == {}


def test_types_are_named_with_their_namespaces() -> None:
    text = """
    namespace a::b {
    class One { struct Inner {}; };
    struct Two final : One { void Do() { struct Local {}; } };
    enum class Three : int { kOne };
    namespace c { union Four { int i; }; }
    struct Declared;
    struct One::Outside { };
    template <> struct Special<int> {};
    struct Other* Make() { return nullptr; }
    }
    struct Five {};
    """
    assert list(defined(text)) == ["a::b::One", "a::b::Two", "a::b::Three", "a::b::c::Four", "a::b::One::Outside", "Five"]


def test_types_of_an_unnamed_namespace_belong_to_their_file() -> None:
    assert list(defined("namespace a { namespace { struct One {}; } struct Two {}; }")) == ["a::Two"]


def test_braces_in_texts_and_comments_do_not_count() -> None:
    text = """namespace a {
    // }
    /* } */
    const char* x = "}\\"}"; char y = '}'; const char* z = R"x(})x"; int n = 1'000'000;
    struct One {};
    }"""
    assert list(defined(text)) == ["a::One"]


def test_a_name_in_two_files_is_told_with_both() -> None:
    files = {"b.h": "namespace a { struct One {}; }", "a.h": "namespace a { class One {}; }", "c.h": "struct One {};"}
    assert defined_twice(files) == {"a::One": ["a.h", "b.h"]}
