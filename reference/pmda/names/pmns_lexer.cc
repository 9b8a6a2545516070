// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/pmns_lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "reference/core/metric_name.h"
#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"
#include "reference/pmda/names/name_tree.h"

namespace pmproof::pmda {
namespace {

constexpr bool IsPmidPart(char c) { return IsDigit(c) || c == ':' || c == '*'; }

// "a 1 : 2 : 3" is "a 1:2:3" (PMD-302). Blanks at the ends go too.
std::string WithoutBlanksAroundColons(std::string_view line) {
  std::string text;
  for (line = SkipBlanks(line); !line.empty();) {
    if (!IsBlank(line[0])) {
      text += line[0];
      line.remove_prefix(1);
      if (text.back() == ':') line = SkipBlanks(line);
      continue;
    }
    line = SkipBlanks(line);
    if (!line.empty() && line[0] != ':') text += ' ';
  }
  return text;
}

PmnsTokenKind KindOf(std::string_view word) {
  if (word == "{") return PmnsTokenKind::kOpen;
  if (word == "}") return PmnsTokenKind::kClose;
  if (IsMetricName(word)) {
    return word.find('.') == std::string_view::npos ? PmnsTokenKind::kName : PmnsTokenKind::kPath;
  }
  return std::all_of(word.begin(), word.end(), IsPmidPart) ? PmnsTokenKind::kPmid
                                                           : PmnsTokenKind::kOther;
}

// `limit` + 1 for all that is above it.
std::uint32_t NumberUpTo(std::string_view digits, std::uint32_t limit) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  static_cast<void>(end);
  return error == std::errc() && number <= limit ? number : limit + 1;
}

bool IsNumber(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), IsDigit);
}

}  // namespace

PmnsLexer::PmnsLexer(const Preprocessed& source) : source_(source) {
  for (const std::string& file : source.files) {
    files_.push_back(std::make_shared<const std::string>(file));
  }
  file_ = files_.front();
}

bool PmnsLexer::TakeMarker(const SourceLine& line) {
  std::string_view rest = SkipBlanks(std::string_view(line.text).substr(1));
  const std::string_view number = FirstWord(rest);
  rest = SkipBlanks(rest.substr(number.size()));
  if (!IsNumber(number) || !rest.starts_with('"')) return false;
  const std::size_t end = rest.find('"', 1);
  if (end == std::string_view::npos || !SkipBlanks(rest.substr(end + 1)).empty()) return false;
  constexpr std::uint32_t kMost = 999999999;
  markers_[line.file] = {line.line, NumberUpTo(number, kMost),
                         std::make_shared<const std::string>(rest.substr(1, end - 1))};
  return true;
}

void PmnsLexer::Place(const SourceLine& line) {
  file_ = files_[line.file];
  number_ = line.line;
  if (const auto marker = markers_.find(line.file); marker != markers_.end()) {
    file_ = marker->second.file;
    number_ = marker->second.number + (line.line - marker->second.line - 1);
  }
}

tl::expected<PmnsToken, Diagnosis> PmnsLexer::Next() {
  while (at_ == line_.size() && next_ < source_.lines.size()) {
    const SourceLine& line = source_.lines[next_++];
    Place(line);
    line_.clear();
    at_ = 0;
    const std::string_view begin = SkipBlanks(line.text);
    if (!begin.starts_with('#')) {
      line_ = WithoutBlanksAroundColons(line.text);
    } else if (begin.size() != line.text.size() || !TakeMarker(line)) {
      return tl::unexpected(Diagnosis{Diagnosis::Severity::kError, *file_, number_,
                                      "PMD-306"_clause, "not a directive: " + Printable(begin)});
    }
  }
  const std::string_view rest = SkipBlanks(std::string_view(line_).substr(at_));
  const std::string_view word = FirstWord(rest);
  at_ = line_.size() - rest.size() + word.size();
  PmnsToken token{.text = std::string(word), .file = file_, .line = number_};
  if (!word.empty()) token.kind = KindOf(word);
  return token;
}

tl::expected<PmidSpec, std::string> PmidOf(std::string_view text) {
  constexpr std::size_t kMostParts = 4;
  std::array<std::string_view, kMostParts> parts;
  std::size_t count = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    if (count == kMostParts) return tl::unexpected(std::string("more than four parts"));
    parts[count++] = text.substr(0, colon);
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  constexpr std::uint32_t kMostDomain = 510;
  constexpr std::uint32_t kMostCluster = 4095;
  constexpr std::uint32_t kMostItem = 1023;
  if (!IsNumber(parts[0])) return tl::unexpected(std::string("the domain is not a number"));
  const std::uint32_t domain = NumberUpTo(parts[0], kMostDomain);
  if (domain > kMostDomain) return tl::unexpected(std::string("the domain is above 510"));
  if (count == 3 && parts[1] == "*" && parts[2] == "*") return PmidSpec{DynamicRoot(domain)};
  if (count == 1) {
    return PmidSpec{DynamicRoot(domain), "a lone number is taken for a dynamic subtree, as " +
                                             std::to_string(domain) + ":*:*"};
  }
  if (count == 2) return tl::unexpected(std::string("two parts; domain:cluster:item expected"));
  if (!std::all_of(parts.begin() + 1, parts.begin() + static_cast<std::ptrdiff_t>(count),
                   IsNumber)) {
    return tl::unexpected(std::string("domain:cluster:item or domain:*:* expected"));
  }
  const std::uint32_t cluster = NumberUpTo(parts[1], kMostCluster);
  if (cluster > kMostCluster) return tl::unexpected(std::string("the cluster is above 4095"));
  const std::uint32_t item = NumberUpTo(parts[2], kMostItem);
  if (item > kMostItem) return tl::unexpected(std::string("the item is above 1023"));
  PmidSpec spec{Pmid::Of(domain, cluster, item)};
  if (count == kMostParts) spec.warning = "the fourth part is ignored";
  return spec;
}

}  // namespace pmproof::pmda
