// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/time_zone.h"

namespace pmproof::archive {
namespace {

bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes the parts of a POSIX TZ string from the front of a text; each says whether its part was
// there.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  bool AtRule() const { return rest_.starts_with(','); }

  bool Take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Three letters or more, or anything of letters, digits and signs in <>.
  bool Abbreviation() {
    const bool quoted = Take('<');
    std::size_t size = 0;
    while (size < rest_.size()) {
      const char c = rest_[size];
      if (!IsLetter(c) && !(quoted && (IsDigit(c) || c == '+' || c == '-'))) break;
      ++size;
    }
    rest_.remove_prefix(size);
    return size >= 3 && (!quoted || Take('>'));
  }

  // [+-]hh[:mm[:ss]]
  bool Offset() {
    if (!Take('+')) Take('-');
    if (!Number(0, 167)) return false;
    for (int i = 0; i < 2 && Take(':'); ++i) {
      if (!Number(0, 59)) return false;
    }
    return true;
  }

  // Jn, n or Mm.w.d, then [/time].
  bool Change() {
    if (Take('J')) {
      if (!Number(1, 365)) return false;
    } else if (Take('M')) {
      if (!Number(1, 12) || !Take('.') || !Number(1, 5) || !Take('.') || !Number(0, 6))
        return false;
    } else if (!Number(0, 365)) {
      return false;
    }
    return !Take('/') || Offset();
  }

 private:
  bool Number(int least, int most) {
    int value = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < 4 && IsDigit(rest_[digits]))
      value = 10 * value + (rest_[digits++] - '0');
    rest_.remove_prefix(digits);
    return digits > 0 && value >= least && value <= most;
  }

  std::string_view rest_;
};

}  // namespace

bool IsPosixTimeZone(std::string_view text) {
  Parser parser(text);
  if (!parser.Abbreviation() || !parser.Offset()) return false;
  if (parser.AtEnd()) return true;
  if (!parser.Abbreviation()) return false;
  if (!parser.AtEnd() && !parser.AtRule() && !parser.Offset()) return false;
  if (parser.AtEnd()) return true;
  return parser.Take(',') && parser.Change() && parser.Take(',') && parser.Change() &&
         parser.AtEnd();
}

bool IsTimeZoneName(std::string_view text) {
  bool begins = true;  // of a component
  for (const char c : text) {
    if (c == '/') {
      if (begins) return false;
      begins = true;
    } else if (begins) {
      if (!IsLetter(c)) return false;
      begins = false;
    } else if (!IsLetter(c) && !IsDigit(c) && c != '_' && c != '+' && c != '-') {
      return false;
    }
  }
  return !begins;
}

bool IsTimeZonePath(std::string_view text) {
  if (text.starts_with('/')) return true;
  while (true) {
    const std::size_t slash = text.find('/');
    const std::string_view part = text.substr(0, slash);
    if (part == "." || part == "..") return true;
    if (slash == std::string_view::npos) return false;
    text.remove_prefix(slash + 1);
  }
}

bool ZoneDatabase::Exists(std::string_view name) const {
  if (!IsTimeZoneName(name)) return false;
  const Result<DirectoryEntry::Kind> kind = storage_.KindOf(folder_ + "/" + std::string(name));
  return kind && *kind == DirectoryEntry::Kind::kFile;
}

}  // namespace pmproof::archive
