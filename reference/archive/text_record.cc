// SPDX-License-Identifier: Apache-2.0
#include "reference/archive/text_record.h"

#include <string>

#include "reference/core/bytes.h"
#include "reference/core/identifiers.h"
#include "reference/core/printable.h"
#include "reference/core/utf8.h"

namespace pmproof::archive {
namespace {

// Offsets of the fields (ARC-430).
constexpr std::size_t kType = 8;
constexpr std::size_t kIdentifier = 12;
constexpr std::size_t kText = 16;
constexpr std::size_t kWithoutText = kText + kLengthWord;

constexpr std::uint32_t kOneLine = 1;
constexpr std::uint32_t kClasses = 3;  // one-line, help (ARC-014)
constexpr std::uint32_t kMetric = 4;
constexpr std::uint32_t kInstanceDomain = 8;
constexpr std::uint32_t kTargets = kMetric | kInstanceDomain;

// Reports the rules on the text type (ARC-431, ARC-432); true if readers load the record.
bool CheckType(const RecordView& record, std::uint32_t type, bool last, Reporter& reporter) {
  const auto report = [&](Clause rule, Gravity gravity, const char* message) {
    reporter.Report(
        rule, record.At(kType, 4),
        [&]() -> Details {
          return {"text type", std::to_string(type), "5, 6, 9 or 10", message};
        },
        gravity);
  };
  const Gravity unreadable = last ? Gravity::kError : Gravity::kFatal;
  if ((type & kClasses) == 0) {
    report("ARC-1601"_clause, unreadable, "neither one-line nor full help text");
    return false;
  }
  if ((type & kTargets) == 0) {
    report("ARC-1602"_clause, unreadable, "a text for neither a metric nor an instance domain");
    return false;
  }
  if ((type & kClasses) == kClasses) {
    report("ARC-1602"_clause, Gravity::kError, "both one-line and full help text");
  } else if ((type & kTargets) == kTargets) {
    report("ARC-1602"_clause, Gravity::kError, "a text for both a metric and an instance domain");
  }
  if ((type & ~(kClasses | kTargets)) != 0) {
    report("ARC-1603"_clause, Gravity::kAsCatalogued,
           "bits are set that make the text unreachable");
  }
  return true;
}

// `stored` is the text with its NUL and `text` what readers take of it.
void CheckText(const RecordView& record, std::uint32_t type, std::string_view stored,
               std::string_view text, Reporter& reporter) {
  const auto report = [&](Clause rule, std::size_t at, std::size_t size, const char* message) {
    reporter.Report(rule, record.At(kText + at, size), [&]() -> Details {
      return {"text", Printable(text), "", message};
    });
  };
  if (stored.empty() || stored.back() != '\0') {
    report("ARC-1604"_clause, 0, stored.size(), "the text has no NUL at its end");
  }
  if (text.size() + 1 < stored.size()) {
    report("ARC-1609"_clause, text.size(), stored.size() - text.size(),
           "a NUL inside the text cuts off the bytes after it");
  } else if (text.empty() && !stored.empty()) {
    report("ARC-1608"_clause, 0, stored.size(), "the text is empty");
  }
  if ((type & kClasses) == kOneLine) {
    if (const std::size_t newline = text.find('\n'); newline != std::string_view::npos) {
      report("ARC-1606"_clause, newline, 1, "a one-line text has more than one line");
    }
  }
  if (const std::size_t bad = FirstInvalidUtf8(text); bad < text.size()) {
    report("ARC-1610"_clause, bad, 1, "the text is not UTF-8");
  }
  if (const ForeignCharacter acting = FirstActing(text); acting.at < text.size()) {
    report("ARC-1612"_clause, acting.at, acting.size,
           "the text has characters that act on a terminal, or reorder, hide or break text");
  }
}

}  // namespace

std::optional<TextRecord> DecodeText(const RecordView& record, bool last, Reporter& reporter) {
  if (record.bytes.size() < kWithoutText) {
    reporter.Report("ARC-1109"_clause, record.Whole(), [&]() -> Details {
      return {"N", std::to_string(record.bytes.size()),
              "at least " + std::to_string(kWithoutText + 1),
              "the record is too short for a help text"};
    });
    return std::nullopt;
  }
  TextRecord text;
  text.record = record;
  text.type = LoadU32(record.bytes.data() + kType);
  text.identifier = LoadU32(record.bytes.data() + kIdentifier);
  const std::string_view stored =
      AsText(record.bytes.subspan(kText, record.bytes.size() - kWithoutText));
  text.text = UpToNul(stored);

  if (!CheckType(record, text.type, last, reporter)) return std::nullopt;
  if (text.ForIndom() && Indom{text.identifier}.IsNull()) {
    reporter.Report("ARC-1611"_clause, record.At(kIdentifier, 4), []() -> Details {
      return {"identifier", "PM_INDOM_NULL", "", "no instance domain has this identifier"};
    });
  }
  CheckText(record, text.type, stored, text.text, reporter);
  return text;
}

}  // namespace pmproof::archive
