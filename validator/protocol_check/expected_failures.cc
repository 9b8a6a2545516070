// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/expected_failures.h"

#include <fnmatch.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

namespace pmproof::validator::agent {
namespace {

constexpr std::string_view kUntil = "until=";
constexpr const char* kUnexplained = "not explained yet";

std::string_view Stripped(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> FieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t end = line.find('|', begin);
    fields.push_back(Stripped(line.substr(begin, end - begin)));
    if (end == std::string_view::npos) return fields;
    begin = end + 1;
  }
}

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  int part[3] = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7) continue;
    if (text[i] < '0' || text[i] > '9') return false;
    int& number = part[i < 4 ? 0 : i < 7 ? 1 : 2];
    number = 10 * number + (text[i] - '0');
  }
  return std::chrono::year_month_day(std::chrono::year(part[0]),
                                     std::chrono::month(static_cast<unsigned>(part[1])),
                                     std::chrono::day(static_cast<unsigned>(part[2])))
      .ok();
}

tl::expected<ExpectedFailure, std::string> ParseLine(std::string_view line) {
  std::vector<std::string_view> fields = FieldsOf(line);
  ExpectedFailure entry;
  if (fields.size() == 4 && fields[3].starts_with(kUntil)) {
    entry.until = fields[3].substr(kUntil.size());
    if (!IsDate(entry.until))
      return tl::unexpected<std::string>("until= is not a date such as 2027-01-31");
    fields.pop_back();
  }
  if (fields.size() != 3) {
    return tl::unexpected<std::string>("it is not ID | place | reason | until=YYYY-MM-DD");
  }
  const auto id = Clause::Parse(fields[0]);
  if (!id) return tl::unexpected("'" + std::string(fields[0]) + "' is not the ID of a check");
  if (fields[2].empty()) return tl::unexpected<std::string>("there is no reason");
  entry.id = *id;
  entry.place = fields[1];
  entry.reason = fields[2];
  return entry;
}

bool Expects(const ExpectedFailure& entry, const std::string& offence) {
  return entry.place.empty() || fnmatch(entry.place.c_str(), offence.c_str(), 0) == 0;
}

// The offences of a failure that are known, in their order.
std::vector<std::string> OffencesOf(const Verdict& failure) {
  std::vector<std::string> offences = {failure.because};
  offences.insert(offences.end(), failure.further.begin(), failure.further.end());
  return offences;
}

// Whether the entry is of this failure: there is an offence that it expects.
bool Expects(const ExpectedFailure& entry, const CheckOutcome& outcome) {
  return entry.id == outcome.id && outcome.verdict.outcome == Outcome::kFail &&
         std::ranges::any_of(OffencesOf(outcome.verdict),
                             [&](const std::string& offence) { return Expects(entry, offence); });
}

bool Expired(const ExpectedFailure& entry, const std::string& today) {
  return !entry.until.empty() && entry.until < today;
}

// What a list says of one failure.
class Excuse {
 public:
  Excuse(const std::vector<ExpectedFailure>& list, const std::string& today,
         const CheckOutcome& failure)
      : failure_(failure.verdict), offences_(OffencesOf(failure.verdict)) {
    expected_.resize(offences_.size());
    for (const ExpectedFailure& entry : list) {
      if (entry.id == failure.id && !Expired(entry, today)) Take(entry);
    }
  }

  // Every offence is expected. One whose text was not kept is only by an entry without a glob.
  bool complete() const {
    return whole_ || (offences_.size() == failure_.offences && count() == offences_.size());
  }
  std::uint64_t count() const {
    return static_cast<std::uint64_t>(std::ranges::count(expected_, true));
  }
  const std::string& reasons() const { return reasons_; }

  // The failure with what nobody expected at its beginning.
  Verdict UnexpectedFirst() const {
    std::vector<std::string> sorted;
    for (const bool expected : {false, true}) {
      for (std::size_t i = 0; i < offences_.size(); ++i) {
        if (expected_[i] == expected) sorted.push_back(offences_[i]);
      }
    }
    Verdict verdict = failure_;
    verdict.because = sorted.front();
    verdict.further.assign(sorted.begin() + 1, sorted.end());
    return verdict;
  }

 private:
  void Take(const ExpectedFailure& entry) {
    whole_ |= entry.place.empty();
    bool any = false;
    for (std::size_t i = 0; i < offences_.size(); ++i) {
      if (!Expects(entry, offences_[i])) continue;
      expected_[i] = true;
      any = true;
    }
    if (any && said_.insert(entry.reason).second) {
      reasons_ += (reasons_.empty() ? "" : "; ") + entry.reason;
    }
  }

  const Verdict& failure_;
  std::vector<std::string> offences_;
  std::vector<bool> expected_{};
  bool whole_ = false;
  std::set<std::string> said_{};
  std::string reasons_{};
};

}  // namespace

std::string ExpectedFailure::ToText() const {
  return id.ToString() + " | " + place + " | " + reason +
         (until.empty() ? "" : " | " + std::string(kUntil) + until);
}

tl::expected<std::vector<ExpectedFailure>, std::string> ParseExpectedFailures(
    std::string_view text) {
  std::vector<ExpectedFailure> entries;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (Stripped(line).empty() || line.starts_with('#')) continue;
    auto entry = ParseLine(line);
    const auto wrong = [&](const std::string& what) {
      return tl::unexpected("line " + std::to_string(number) + ": " + what);
    };
    if (!entry) return wrong(entry.error());
    const bool twice = std::ranges::any_of(entries, [&](const ExpectedFailure& other) {
      return other.id == entry->id && other.place == entry->place;
    });
    if (twice) return wrong(entry->id.ToString() + " is listed twice for the same place");
    entries.push_back(*std::move(entry));
  }
  return entries;
}

void Declare(const std::vector<ExpectedFailure>& expected, const std::string& today,
             AgentReport* report) {
  for (const ExpectedFailure& entry : expected) {
    if (!entry.strict) continue;
    if (Expired(entry, today)) {
      report->list_faults.push_back("expired entry: " + entry.ToText());
      continue;
    }
    for (const CheckOutcome& outcome : report->checks) {
      if (outcome.id != entry.id) continue;
      if (outcome.verdict.outcome == Outcome::kPass) {
        report->list_faults.push_back("surprise pass: " + entry.ToText());
      } else if (outcome.verdict.outcome == Outcome::kFail && !Expects(entry, outcome)) {
        report->list_faults.push_back("entry that matches nothing: " + entry.ToText());
      }
    }
  }
  for (CheckOutcome& outcome : report->checks) {
    if (outcome.verdict.outcome != Outcome::kFail) continue;
    const Excuse excuse(expected, today, outcome);
    if (excuse.count() == 0) continue;
    if (excuse.complete()) {
      outcome.declared = excuse.reasons();
      continue;
    }
    outcome.expected = excuse.count();
    outcome.expected_because = excuse.reasons();
    outcome.verdict = excuse.UnexpectedFirst();
  }
}

std::string BaselineOf(const AgentReport& report, const std::vector<ExpectedFailure>& old,
                       const std::string& today) {
  std::string text =
      "# Expected failures: a surprise pass, an entry that matches nothing and an expired entry "
      "fail the run.\n# ID | glob of what an offence says, or nothing | reason | "
      "until=YYYY-MM-DD (optional)\n";
  for (const CheckOutcome& outcome : report.checks) {
    for (const ExpectedFailure& entry : old) {
      if (entry.id != outcome.id || !entry.strict || Expired(entry, today)) continue;
      // Nothing is known of a check that was not made.
      const bool kept = outcome.verdict.outcome == Outcome::kNotChecked || Expects(entry, outcome);
      if (kept) text += entry.ToText() + "\n";
    }
    const bool known = !outcome.declared.empty();
    if (known || outcome.verdict.outcome != Outcome::kFail) continue;
    if (Excuse(old, today, outcome).complete()) continue;
    text += ExpectedFailure{.id = outcome.id, .reason = kUnexplained}.ToText() + "\n";
  }
  return text;
}

std::string Today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

}  // namespace pmproof::validator::agent
