// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/profile_sheet.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "reference/replay/bounds.h"
#include "validator/replay/value_text.h"
#include "validator/rules_diff/comparison_text.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

using replay::Answer;
using replay::Observation;
using replay::Profile;

Value TextOf(std::string_view text) { return {MetricType::kString, false, 0, AsBytes(text)}; }

replay::Moment At(double seconds, std::uint64_t record) {
  return {seconds, Timestamp{} + std::llround(seconds * 1e9), record};
}

// Two observations, and times at which the metric is asked for.
struct Series {
  const char* question;
  Semantics semantics;
  std::pair<double, Value> first;
  std::pair<double, Value> second;
  std::vector<double> times;
};

std::vector<Series> AllSeries() {
  constexpr auto kCounter = Semantics::kCounter;
  constexpr auto kInstant = Semantics::kInstant;
  return {
      {"instant or discrete number: 10 at 0 s, 20 at 10 s; asked at 2 s, 5 s, 8 s",
       kInstant,
       {0, Value::Of(10U)},
       {10, Value::Of(20U)},
       {2, 5, 8}},
      {"the same, the middle between two doubles: 1 at 0.001 s, 2 at 0.009 s; asked at 0.005 s",
       kInstant,
       {0.001, Value::Of(1U)},
       {0.009, Value::Of(2U)},
       {0.005}},
      {"instant or discrete string: \"a\" at 0 s, \"b\" at 10 s; asked at 2 s, 5 s, 8 s",
       kInstant,
       {0, TextOf("a")},
       {10, TextOf("b")},
       {2, 5, 8}},
      {"counter: 10 at 0 s, 21 at 10 s; asked at 2 s, 5 s, 8 s",
       kCounter,
       {0, Value::Of(10U)},
       {10, Value::Of(21U)},
       {2, 5, 8}},
      {"counter below zero: -1 at 0 s, 0 at 10 s; asked at 2 s, 4 s",
       kCounter,
       {0, Value::Of(-1)},
       {10, Value::Of(0)},
       {2, 4}},
      {"counter of 64 bits: 9007199254740993 at 0 s and at 10 s; asked at 5 s",
       kCounter,
       {0, Value::Of(std::int64_t{9007199254740993})},
       {10, Value::Of(std::int64_t{9007199254740993})},
       {5}},
      {"counter that goes back: 4294967290 at 0 s, 10 at 10 s, of 32 bits; asked at 5 s",
       kCounter,
       {0, Value::Of(4294967290U)},
       {10, Value::Of(10U)},
       {5}},
  };
}

void Cite(Clause clause, SheetRow::Reply* reply) {
  if (clause.empty() || std::ranges::count(reply->cited, clause) > 0) return;
  reply->cited.insert(std::ranges::upper_bound(reply->cited, clause), clause);
}

SheetRow::Reply Ask(const Series& series, const Profile& profile) {
  const std::vector<Observation> seen = {{At(series.first.first, 0), series.first.second},
                                         {At(series.second.first, 1), series.second.second}};
  SheetRow::Reply reply;
  for (const double t : series.times) {
    const Answer answer = profile->At(replay::FindBounds(seen, {}, t),
                                      {At(t, 0).time, t, seen[0].value.type, series.semantics});
    if (!reply.text.empty()) reply.text += ", ";
    reply.text += answer.kind == Answer::Kind::kValue ? ValueText(answer.value) : "no value";
    Cite(answer.why, &reply);
  }
  return reply;
}

// What differs between profiles but does not follow from two bounds (section 12).
struct Trait {
  const char* question;
  bool replay::ProfileTraits::*set;
  const char* yes;
  const char* no;
  Clause if_yes;
  Clause if_no;
};

constexpr Trait kTraits[] = {
    {"the end of the archive", &replay::ProfileTraits::exact_end,
     "exact: no answer after the last record", "a tolerance of 1 ms, wider once the end is known",
     "INT-1206"_clause, "INT-206"_clause},
    {"a time whose nanoseconds are a whole second", &replay::ProfileTraits::normalised_time,
     "is carried at once", "stays until the next step", "INT-1207"_clause, "INT-204"_clause},
    {"discrete values of an instance that is gone", &replay::ProfileTraits::lifetimes,
     "end with its life, in domains that had 16 instances or more", "go on to the next mark",
     "INT-403"_clause, "INT-1208"_clause},
    {"the mark between two archives of a set", &replay::ProfileTraits::marks_by_direction,
     "1 ms after the earlier archive; backward 1 ms before the later one",
     "1 ms after the earlier archive, at the latest at the start of the later one",
     "INT-905"_clause, "INT-1211"_clause},
};

std::string ClausesText(const std::vector<Clause>& clauses) {
  std::string text;
  for (const Clause clause : clauses) text += (text.empty() ? "" : ", ") + clause.ToString();
  return text.empty() ? "none cited" : text;
}

std::set<Clause> ClausesOf(const std::vector<SheetRow>& rows, std::size_t profile) {
  std::set<Clause> clauses;
  for (const SheetRow& row : rows) {
    clauses.insert(row.replies[profile].cited.begin(), row.replies[profile].cited.end());
  }
  return clauses;
}

}  // namespace

std::vector<SheetRow> AskProfiles(const std::vector<Profile>& profiles) {
  std::vector<SheetRow> rows;
  for (const Series& series : AllSeries()) {
    SheetRow& row = rows.emplace_back();
    row.question = series.question;
    for (const Profile& profile : profiles) row.replies.push_back(Ask(series, profile));
  }
  for (const Trait& trait : kTraits) {
    SheetRow& row = rows.emplace_back();
    row.question = trait.question;
    for (const Profile& profile : profiles) {
      const bool yes = profile->traits().*trait.set;
      row.replies.push_back({yes ? trait.yes : trait.no, {yes ? trait.if_yes : trait.if_no}});
    }
  }
  return rows;
}

void WriteProfilesText(const std::vector<Profile>& profiles, const Screen& screen,
                       std::ostream& out) {
  const std::vector<SheetRow> rows = AskProfiles(profiles);
  std::size_t width = 0;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const std::string name = Displayable(profiles[i]->name());
    width = std::max(width, Columns(name));
    const std::set<Clause> clauses = ClausesOf(rows, i);
    out << Styled(screen, Style::kBold, name) << "\n  "
        << Wrap(Displayable(profiles[i]->summary()), screen.width, 2) << "\n  "
        << Wrap("Clauses: " + ClausesText({clauses.begin(), clauses.end()}), screen.width, 2)
        << "\n\n";
  }
  out << "What each of them answers (the clauses: pmproof explain ID):\n";
  for (const SheetRow& row : rows) {
    out << '\n' << Wrap(row.question, screen.width, 0) << '\n';
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      const std::string name = Displayable(profiles[i]->name());
      const SheetRow::Reply& reply = row.replies[i];
      out << "  " << name << std::string(width - Columns(name) + 2, ' ') << Displayable(reply.text)
          << "  " << Styled(screen, Style::kDim, "[" + ClausesText(reply.cited) + "]") << '\n';
    }
  }
}

void WriteProfilesJson(const std::vector<Profile>& profiles, std::ostream& out) {
  const std::vector<SheetRow> rows = AskProfiles(profiles);
  Json all = Json::array();
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    Json answers = Json::array();
    for (const SheetRow& row : rows) {
      Json clauses = Json::array();
      for (const Clause clause : row.replies[i].cited) clauses.push_back(clause.ToString());
      answers.push_back({{"question", row.question},
                         {"answer", row.replies[i].text},
                         {"clauses", std::move(clauses)}});
    }
    Json clauses = Json::array();
    for (const Clause clause : ClausesOf(rows, i)) clauses.push_back(clause.ToString());
    all.push_back({{"name", profiles[i]->name()},
                   {"summary", profiles[i]->summary()},
                   {"clauses", std::move(clauses)},
                   {"answers", std::move(answers)}});
  }
  out << DumpJson({{"schema", "pmproof-rules/1"},
                   {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
                   {"profiles", std::move(all)}},
                  2)
      << '\n';
}

}  // namespace pmproof::validator
