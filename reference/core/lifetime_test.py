# SPDX-License-Identifier: Apache-2.0
"""What is marked by reference/core/lifetime.h: qa/lint refuses a view that outlives its temporary."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

OWNER = """
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reference/core/lifetime.h"

class Owner {
 public:
  std::string_view text() const PMPROOF_LIFETIME_BOUND { return text_; }
  std::span<const char> span() const PMPROOF_LIFETIME_BOUND { return text_; }
  std::optional<std::string_view> maybe() const PMPROOF_LIFETIME_BOUND { return text_; }

 private:
  std::string text_;
};
std::string_view Of(const std::string& text PMPROOF_LIFETIME_BOUND);

"""


FUNCTIONS = """
std::size_t A() { const std::string_view view = Owner().text(); return view.size(); }  // refused
std::size_t B() { const std::span<const char> view = Owner().span(); return view.size(); }  // refused
bool C() { const std::optional<std::string_view> view = Owner().maybe(); return view.has_value(); }  // refused
std::size_t D() { const std::string_view view = Of(std::string(9, 'x')); return view.size(); }  // refused
std::string_view E() { const Owner owner; return owner.text(); }  // refused
std::size_t F() { const Owner owner; const std::string_view view = owner.text(); return view.size(); }
std::size_t G() { return Owner().text().size(); }
"""


@pytest.mark.skipif(shutil.which("clang-tidy") is None, reason="clang-tidy is not there: qa/setup lint")
def test_qa_lint_refuses_views_of_what_is_gone_and_no_others(tmp_path: Path) -> None:
    source = tmp_path / "probe.cc"
    source.write_text(OWNER + FUNCTIONS, encoding="utf-8")
    command = ["clang-tidy", "--quiet", "--config-file=.clang-tidy", str(source), "--", "-std=c++20", "-iquote", "."]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=200)
    refused = re.findall(r"^.*probe\.cc:(\d+):\d+: error: .*\[clang-diagnostic-", done.stdout, re.M)
    lines = source.read_text(encoding="utf-8").splitlines()
    assert {int(line) for line in refused} == {i for i, line in enumerate(lines, 1) if line.endswith("// refused")}, done.stdout
