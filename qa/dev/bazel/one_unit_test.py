# SPDX-License-Identifier: Apache-2.0
"""Files put together mean what they mean alone."""

import subprocess
from pathlib import Path

import pytest

from qa.dev.bazel.one_unit import declared, main, renamed

_HEADER = """\
#pragma once

namespace a {

struct Both {
  int Text = 5;
};

}  // namespace a
"""

_FIRST = """\
#include <cstdio>

#include "both.h"

namespace a {
namespace {

enum class Kind : unsigned char { kOne, kTwo };
constexpr struct {
  Kind kind;
  const char* text;
} kTexts[] = {{Kind::kOne, "Text of kind one"}};
constexpr int kSize = 1;
using Number = int;

template <typename T>
T Twice(T value) {
  return value + value;
}

class Counter {
 public:
  explicit Counter(Number from);
  ~Counter();
  Number count() const { return count_; }

 private:
  Number count_;
};

Counter::Counter(Number from) : count_(from) {}
Counter::~Counter() { std::printf("Counter of %d's end; ", kSize); }

const char*
Text(Kind kind) {  // Text of a Kind
  return kTexts[static_cast<int>(kind)].text;
}

}  // namespace

void First() {
  const Both both;
  std::printf("%s, %d %d %c; ", Text(Kind::kOne), Twice(Counter(3).count()), both.Text, 'k');
}

}  // namespace a
"""

_SECOND = """\
#include <cstdio>

namespace a {
namespace {

struct Kind {};
constexpr long kSize = 2'000;

const char* Text(...) { return R"(kSize "of" Kind)"; }

auto Twice(long value) -> long { return value * 2; }

}  // namespace

void First();

void Second() { std::printf("%s, %ld", Text(Kind{}), Twice(kSize)); }

}  // namespace a

int main() {
  a::First();
  a::Second();
}
"""


def _output(folder: Path, sources: list[Path]) -> str:
    program = folder / "program"
    subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", *map(str, sources), "-o", str(program)], check=True)
    return subprocess.run([str(program)], check=True, stdout=subprocess.PIPE, text=True).stdout


def test_files_that_declare_the_same_names_say_the_same_together_as_alone(tmp_path: Path) -> None:
    sources = [tmp_path / "first.cc", tmp_path / "second.cc"]
    (tmp_path / "both.h").write_text(_HEADER, encoding="utf-8")
    sources[0].write_text(_FIRST, encoding="utf-8")
    sources[1].write_text(_SECOND, encoding="utf-8")
    unit = tmp_path / "unit.cc"
    main(str(unit), [str(source) for source in sources])
    alone = _output(tmp_path, sources)
    assert alone.endswith("kSize \"of\" Kind, 4000"), alone
    assert _output(tmp_path, [unit]) == alone


def test_a_message_of_the_compiler_names_file_and_line(tmp_path: Path) -> None:
    sources = [tmp_path / "first.cc", tmp_path / "second.cc"]
    sources[0].write_text("namespace {\nint used = 1;\n}  // namespace\nint Use() { return used; }\n", encoding="utf-8")
    sources[1].write_text("\n\nint Wrong() { return nothing; }\n", encoding="utf-8")
    unit = tmp_path / "unit.cc"
    main(str(unit), [str(source) for source in sources])
    done = subprocess.run(["g++", "-fsyntax-only", str(unit)], stderr=subprocess.PIPE, text=True, check=False)
    assert f"{sources[1]}:3:" in done.stderr


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("constexpr std::array<int, 2> kPair = {1, 2};", "kPair"),
        ("constexpr const char* kText[] = {", "kText"),
        ("std::optional<std::vector<int>> Find(int a) {", "Find"),
        ("const Value* Of(const Set& set);", "Of"),
        ("template <typename T>\nstd::string Print(T value) {", "Print"),
        ("class Walk final : public Visitor {", "Walk"),
        ("enum class Form : std::uint8_t { kLoad };", "Form"),
        ("using Cell = std::string;", "Cell"),
    ],
)
def test_a_declaration_is_recognised(line: str, name: str) -> None:
    assert declared(f"namespace {{\n\n{line}\n\n}}  // namespace\n") == {name}
    assert declared(f"namespace a {{\n\n{line}\n\n}}  // namespace a\n") == set()


def test_a_name_that_is_also_declared_for_other_files_is_left_alone() -> None:
    text = "namespace {\nint Size(int a) { return a; }\nint Own() { return 1; }\n}  // namespace\nint Size() { return Size(Own()); }\n"
    assert declared(text) == {"Own"}


def test_members_texts_and_comments_keep_their_names() -> None:
    text = 'x.Find(a->Find, B::Find, "Find", \'F\') /* Find */ + Find;  // Find\n'
    assert renamed(text, {"Find", "F"}, "1") == text.replace("+ Find", "+ Find_1")
