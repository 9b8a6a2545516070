// SPDX-License-Identifier: Apache-2.0
// Mutations of section 14.7: help text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generators/mutations/find.h"
#include "generators/mutations/fresh.h"
#include "generators/mutations/mutations.h"

namespace pmproof::generators {
namespace {

using archive::DescModel;
using archive::IndomModel;
using archive::TextModel;

// The bits of a type (ARC-014).
constexpr std::uint32_t kOneLine = 1;
constexpr std::uint32_t kHelp = 2;
constexpr std::uint32_t kMetric = 4;
constexpr std::uint32_t kInstanceDomain = 8;

constexpr std::uint32_t kClasses[] = {kOneLine, kHelp};
constexpr std::uint32_t kOneLineOnly[] = {kOneLine};

constexpr char kNoSubject[] = "it has neither metric nor instance domain";

std::size_t AnyPlace(const ArchivePlan& plan, Random& random) {
  return random.Below(plan.meta.size() + 1);
}

void InsertAnywhere(ArchivePlan& plan, TextModel text, Random& random) {
  InsertMeta(plan, AnyPlace(plan, random), std::move(text));
}

// What a text can be for: the bit of the type, and the identifier.
struct Subject {
  std::uint32_t target = 0;
  std::uint32_t identifier = 0;
};

std::vector<Subject> Subjects(const ArchivePlan& plan) {
  std::vector<Subject> subjects;
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const auto* desc = std::get_if<DescModel>(&record)) {
      subjects.push_back({kMetric, desc->descriptor.pmid.value});
    } else if (const auto* indom = std::get_if<IndomModel>(&record)) {
      subjects.push_back({kInstanceDomain, indom->indom.value});
    }
  }
  return subjects;
}

// How many texts there are of each type and identifier.
using Key = std::pair<std::uint32_t, std::uint32_t>;
std::map<Key, std::size_t> TextsByKey(const ArchivePlan& plan) {
  std::map<Key, std::size_t> texts;
  for (const archive::MetaRecordModel& record : plan.meta) {
    if (const auto* text = std::get_if<TextModel>(&record)) ++texts[{text->type, text->identifier}];
  }
  return texts;
}

// A text that may get any content: no other one is of its type for its subject (ARC-1607). It is
// one of the archive's or an empty one, added at any place. `classes` are those that it may have.
struct FoundText {
  NotApplicable lack;
  std::size_t position = 0;
};
FoundText FindText(ArchivePlan& plan, std::span<const std::uint32_t> classes, Random& random) {
  const std::map<Key, std::size_t> texts = TextsByKey(plan);
  std::vector<TextModel> missing;
  for (const Subject& subject : Subjects(plan)) {
    for (const std::uint32_t text_class : classes) {
      const std::uint32_t type = subject.target | text_class;
      if (!texts.contains({type, subject.identifier}))
        missing.push_back({type, subject.identifier, ""});
    }
  }
  const std::vector<std::size_t> alone = MetaRecords<TextModel>(plan, [&](const TextModel& text) {
    return std::find(classes.begin(), classes.end(), text.type & 3) != classes.end() &&
           texts.at({text.type, text.identifier}) == 1;
  });
  if (missing.empty() && alone.empty()) return {kNoSubject};
  if (missing.empty() || (!alone.empty() && random.Chance(1, 2))) return {{}, random.Pick(alone)};
  const std::size_t place = AnyPlace(plan, random);
  InsertMeta(plan, place, random.Pick(missing));
  return {{}, place};
}

NotApplicable WithContent(ArchivePlan& plan, std::span<const std::uint32_t> classes,
                          std::string content, Random& random) {
  const FoundText found = FindText(plan, classes, random);
  if (found.lack) return found.lack;
  std::get<TextModel>(plan.meta[found.position]).text = std::move(content);
  return std::nullopt;
}

// A text of a type that `type_for` makes for a subject.
template <typename TypeFor>
NotApplicable AddOfType(ArchivePlan& plan, std::size_t place, Random& random, TypeFor type_for) {
  std::vector<Subject> subjects = Subjects(plan);
  if (subjects.empty()) return kNoSubject;
  const Subject subject = random.Pick(subjects);
  InsertMeta(plan, place, TextModel{type_for(subject), subject.identifier, "text"});
  return std::nullopt;
}

std::uint32_t AnyClass(Random& random) { return random.Chance(1, 2) ? kOneLine : kHelp; }

NotApplicable NoClass(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, random.Below(plan.meta.size()), random,
                   [](const Subject& subject) { return subject.target; });
}

NotApplicable NoClassAtTheEnd(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, plan.meta.size(), random,
                   [](const Subject& subject) { return subject.target; });
}

NotApplicable NoTarget(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, random.Below(plan.meta.size()), random,
                   [&](const Subject&) { return AnyClass(random); });
}

NotApplicable NoTargetAtTheEnd(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, plan.meta.size(), random,
                   [&](const Subject&) { return AnyClass(random); });
}

NotApplicable BothClasses(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, AnyPlace(plan, random), random,
                   [](const Subject& subject) { return subject.target | kOneLine | kHelp; });
}

// Readers take it for a text of an instance domain (ARC-432), so that there must be one.
NotApplicable BothTargets(ArchivePlan& plan, Random& random) {
  const std::vector<std::size_t> indoms = MetaRecords<IndomModel>(plan);
  if (indoms.empty()) return "it has no instance domain";
  const Indom indom = std::get<IndomModel>(plan.meta[random.Pick(indoms)]).indom;
  InsertAnywhere(plan, TextModel{AnyClass(random) | kMetric | kInstanceDomain, indom.value, "text"},
                 random);
  return std::nullopt;
}

NotApplicable OtherBits(ArchivePlan& plan, Random& random) {
  return AddOfType(plan, AnyPlace(plan, random), random, [&](const Subject& subject) {
    const std::uint32_t type = subject.target | AnyClass(random);
    return type | 1U << random.Between(4, 31);
  });
}

NotApplicable NoNul(ArchivePlan& plan, Random& random) {
  const FoundText found = FindText(plan, kClasses, random);
  if (found.lack) return found.lack;
  TextModel text = std::get<TextModel>(plan.meta[found.position]);
  if (text.text.empty()) text.text = "text";
  archive::RawRecordModel raw = RawOf(text, plan.label.version);
  raw.payload.pop_back();
  plan.meta[found.position] = std::move(raw);
  return std::nullopt;
}

NotApplicable OfUnknownMetric(ArchivePlan& plan, Random& random) {
  InsertAnywhere(plan, TextModel{kMetric | AnyClass(random), FreshPmid(plan, random).value, "text"},
                 random);
  return std::nullopt;
}

NotApplicable OfUnknownDomain(ArchivePlan& plan, Random& random) {
  const Indom indom = FreshIndom(plan, random, FreshPmid(plan, random).domain());
  InsertAnywhere(plan, TextModel{kInstanceDomain | AnyClass(random), indom.value, "text"}, random);
  return std::nullopt;
}

NotApplicable SeveralLines(ArchivePlan& plan, Random& random) {
  const std::string lines[] = {"two\nlines", "one line\n", "\n"};
  return WithContent(plan, kOneLineOnly, random.Pick(lines), random);
}

// After a text stands another one, which counts: the same and something more.
NotApplicable OtherContent(ArchivePlan& plan, Random& random) {
  std::vector<std::size_t> texts = MetaRecords<TextModel>(plan);
  if (texts.empty()) {
    const FoundText found = FindText(plan, kClasses, random);
    if (found.lack) return found.lack;
    std::get<TextModel>(plan.meta[found.position]).text = "text";
    texts = {found.position};
  }
  const std::size_t chosen = random.Pick(texts);
  TextModel other = std::get<TextModel>(plan.meta[chosen]);
  other.text += "different";
  const std::size_t place = chosen + 1 + random.Below(plan.meta.size() - chosen);
  InsertMeta(plan, place, std::move(other));
  return std::nullopt;
}

NotApplicable Empty(ArchivePlan& plan, Random& random) {
  return WithContent(plan, kClasses, "", random);
}

NotApplicable InnerNul(ArchivePlan& plan, Random& random) {
  std::string content = "abcdef";
  content.insert(random.Below(content.size() + 1), 1, '\0');
  return WithContent(plan, kClasses, std::move(content), random);
}

NotApplicable NoUtf8(ArchivePlan& plan, Random& random) {
  const std::string wrong[] = {"\xff\xfe", "caf\xe9", "\xed\xa0\x80", "\xc0\xaf", "x\xe2\x82"};
  return WithContent(plan, kClasses, random.Pick(wrong), random);
}

NotApplicable ActsOnATerminal(ArchivePlan& plan, Random& random) {
  const std::string wrong[] = {"\x1b[31mred", "wrong\rright",   "a\x7f",
                               "\u009b2J",    "moc.\u202elive", "a\u2028b"};
  return WithContent(plan, kClasses, random.Pick(wrong), random);
}

NotApplicable OfNoDomain(ArchivePlan& plan, Random& random) {
  InsertAnywhere(plan, TextModel{kInstanceDomain | AnyClass(random), Indom::Null().value, "text"},
                 random);
  return std::nullopt;
}

constexpr Mutation kMutations[] = {
    {.rule = "ARC-1601"_clause,
     .edit = "a help text is neither one-line nor full, and records follow",
     .plan = NoClass},
    {.rule = "ARC-1601"_clause,
     .edit = "a help text is neither one-line nor full, in the last record",
     .plan = NoClassAtTheEnd},
    {.rule = "ARC-1602"_clause,
     .edit = "a help text is for neither metric nor instance domain, and records follow",
     .plan = NoTarget},
    {.rule = "ARC-1602"_clause,
     .edit = "a help text is for neither metric nor instance domain, in the last record",
     .plan = NoTargetAtTheEnd},
    {.rule = "ARC-1602"_clause,
     .edit = "a help text is both one-line and full",
     .plan = BothClasses},
    {.rule = "ARC-1602"_clause,
     .edit = "a help text is for both metric and instance domain",
     .plan = BothTargets},
    {.rule = "ARC-1603"_clause,
     .edit = "the type of a help text has other bits",
     .plan = OtherBits},
    {.rule = "ARC-1604"_clause, .edit = "a help text has no NUL", .plan = NoNul},
    {.rule = "ARC-1605"_clause,
     .edit = "a help text is for a metric that does not exist",
     .plan = OfUnknownMetric},
    {.rule = "ARC-1605"_clause,
     .edit = "a help text is for an instance domain that does not exist",
     .plan = OfUnknownDomain},
    {.rule = "ARC-1606"_clause, .edit = "a one-line text has a newline", .plan = SeveralLines},
    {.rule = "ARC-1607"_clause,
     .edit = "a help text is given again with other content",
     .plan = OtherContent},
    {.rule = "ARC-1608"_clause, .edit = "a help text is empty", .plan = Empty},
    {.rule = "ARC-1609"_clause, .edit = "a help text has a NUL inside", .plan = InnerNul},
    {.rule = "ARC-1610"_clause, .edit = "a help text is not UTF-8", .plan = NoUtf8},
    {.rule = "ARC-1611"_clause, .edit = "a help text is for PM_INDOM_NULL", .plan = OfNoDomain},
    {.rule = "ARC-1612"_clause,
     .edit = "a help text has a character that acts on a terminal or hides text",
     .plan = ActsOnATerminal},
};

}  // namespace

std::span<const Mutation> HelpTextMutations() { return kMutations; }

}  // namespace pmproof::generators
