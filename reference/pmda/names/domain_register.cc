// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/domain_register.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"

namespace pmproof::pmda {
namespace {

constexpr std::uint32_t kLastPackaged = 384;
constexpr std::uint32_t kDynamic = 511;

bool IsIdentifier(std::string_view name) {
  return !name.empty() && !IsDigit(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_';
  });
}

// What is left of a line without its comments; `inside`: whether one goes on from line to line.
std::string WithoutComments(std::string_view line, bool& inside) {
  std::string text;
  while (!line.empty()) {
    const std::size_t next = inside ? line.find("*/") : line.find_first_of("#/");
    if (next == std::string_view::npos) {
      if (!inside) text += line;
      return text;
    }
    if (inside) {
      inside = false;
      text += ' ';
      line.remove_prefix(next + 2);
      continue;
    }
    text += line.substr(0, next);
    line.remove_prefix(next);
    if (line[0] == '#') return text;
    inside = line.starts_with("/*");
    if (!inside) text += '/';
    line.remove_prefix(inside ? 2 : 1);
  }
  return text;
}

}  // namespace

DomainRange RangeOf(std::uint32_t domain) {
  if (domain == 0 || domain >= kDynamic) return DomainRange::kReserved;
  return domain <= kLastPackaged ? DomainRange::kPackaged : DomainRange::kFree;
}

std::vector<Diagnosis> DomainRegister::Add(std::string_view text, const std::string& file,
                                           bool local) {
  std::vector<Diagnosis> problems;
  std::size_t line = 0;
  const auto report = [&](Diagnosis::Severity severity, std::string message) {
    AddDiagnosis({severity, file, line, Clause(), std::move(message)}, problems);
  };
  constexpr auto kError = Diagnosis::Severity::kError;
  bool inside = false;
  while (!text.empty()) {
    ++line;
    const std::size_t newline = text.find('\n');
    const std::string words = WithoutComments(text.substr(0, newline), inside);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    std::string_view rest = SkipBlanks(words);
    if (rest.empty()) continue;
    const std::string_view name = FirstWord(rest);
    rest = SkipBlanks(rest.substr(name.size()));
    const std::string_view digits = FirstWord(rest);
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (!IsIdentifier(name)) {
      report(kError, "not a name: " + Printable(name));
    } else if (digits.empty() || parsed.ec != std::errc() ||
               parsed.ptr != digits.data() + digits.size() || number > kDynamic ||
               !SkipBlanks(rest.substr(digits.size())).empty()) {
      report(kError, Printable(name) + ": a number from 0 to 511 and no more expected");
    } else if (const auto known = numbers_.find(name); known != numbers_.end()) {
      report(kError, Printable(name) + " has number " + std::to_string(known->second) + " already");
    } else if (const auto other = names_.find(number); other != names_.end()) {
      report(kError,
             std::to_string(number) + " is the number of " + Printable(other->second) + " already");
    } else {
      numbers_.emplace(name, number);
      names_.emplace(number, name);
      const DomainRange range = RangeOf(number);
      if (range == (local ? DomainRange::kPackaged : DomainRange::kFree) ||
          (local && range == DomainRange::kReserved)) {
        report(Diagnosis::Severity::kWarning,
               Printable(name) + ": " + std::to_string(number) +
                   (local ? " is not one of the users' numbers" : " is one of the users' numbers"));
      }
    }
  }
  if (inside) report(kError, "a comment that is not closed");
  return problems;
}

std::optional<std::uint32_t> DomainRegister::Find(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> DomainRegister::Find(std::uint32_t domain) const {
  const auto found = names_.find(domain);
  if (found == names_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pmproof::pmda
