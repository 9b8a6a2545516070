// SPDX-License-Identifier: Apache-2.0
#include "validator/tests/salvage/salvaged_answers.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "reference/archive/data_record.h"
#include "reference/core/metric.h"
#include "reference/replay/instance_names.h"
#include "reference/replay/profiles.h"
#include "reference/replay/replay.h"
#include "reference/replay/stored_value.h"

namespace pmproof::validator::testing {
namespace {

using generators::FilesByName;
using replay::ReplayArchive;
using replay::ReplayMetric;

constexpr Timestamp kBegin{std::numeric_limits<std::int64_t>::min(), 0};
constexpr Timestamp kEnd{std::numeric_limits<std::int64_t>::max(), 0};

std::string TextOf(const Value& value) {
  return std::to_string(static_cast<int>(value.type)) + (value.insitu ? "i " : "b ") +
         std::to_string(value.bits) + " " + std::string(AsText(value.opaque));
}

class Observer final : public replay::RecordVisitor {
 public:
  explicit Observer(AnsweringArchive::Observations& observations, const ReplayArchive& archive)
      : observations_(observations), archive_(archive) {}

  bool OnRecord(const archive::DataRecord& record, const replay::Moment& moment,
                const replay::RecordPlace&) override {
    const Timestamp time = moment.time.Normalised();
    observations_.times.insert(time);
    record.ForEachSet([&](const archive::ValueSet& set) {
      const auto metric = archive_.metrics().find(set.pmid());
      if (set.numval() <= 0 || metric == archive_.metrics().end()) return;
      const Descriptor& descriptor = metric->second.descriptor;
      for (std::uint32_t i = 0; i < set.count(); ++i) {
        const auto value = replay::ReadStoredValue(set, i, descriptor.type);
        const std::int32_t id = descriptor.indom.IsNull() ? kInstanceNull : set.Instance(i);
        observations_.values[{set.pmid(), id}][time] = value ? TextOf(*value) : "unreadable";
      }
    });
    return true;
  }
  bool OnMark(const replay::Moment& moment, const replay::RecordPlace&) override {
    observations_.marks.insert(moment.time.Normalised());
    observations_.times.insert(moment.time.Normalised());
    return true;
  }
  bool OnDamage(const replay::Moment&, const Status&) override { return true; }

 private:
  AnsweringArchive::Observations& observations_;
  const ReplayArchive& archive_;
};

std::vector<Timestamp> TimesAround(const std::set<Timestamp>& records, bool all) {
  std::set<Timestamp> times;
  for (auto record = records.begin(); record != records.end(); ++record) {
    times.insert(*record);
    const auto next = std::next(record);
    const std::int64_t distance =
        next == records.end() ? 2'000'000'000 : NanosecondsBetween(*record, *next);
    times.insert(*record + distance / 2);
    if (!all) continue;
    for (const std::int64_t after : {std::int64_t{1}, std::int64_t{500'000},
                                     std::int64_t{1'000'000}, distance / 3, distance - 1}) {
      if (after < distance) times.insert(*record + after);
    }
  }
  return {times.begin(), times.end()};
}

bool IsCounter(const ReplayMetric& metric) {
  return metric.descriptor.semantics != Semantics::kInstant &&
         metric.descriptor.semantics != Semantics::kDiscrete;
}

// Open.
struct Window {
  Timestamp from;
  Timestamp until;
  bool Has(Timestamp time) const { return from < time && time < until; }
};

// What the report declares, by metric, and of all of them.
class Declared {
 public:
  explicit Declared(const SalvageReport& report) : report_(report) {}

  // `known`: the new archive has a value then, which is the answer unless the span has no limits.
  bool Has(Pmid metric, Timestamp from, Timestamp until, bool known) const {
    return std::ranges::any_of(report_.answers, [&](const AnswerSpan& span) {
      return (!known || (!span.from && !span.until)) && (!span.from || *span.from <= until) &&
             (!span.until || from <= *span.until) &&
             (span.metrics.empty() || std::ranges::any_of(span.metrics, [&](std::size_t i) {
                return IsNameOf(report_.metrics.at(i), metric);
              }));
    });
  }

  static bool IsNameOf(const std::string& name, Pmid metric) {
    const std::string number = ToText(metric);
    return name == number || name.ends_with("(" + number + ")");
  }

  bool LosesData() const {
    return std::ranges::any_of(report_.losses, [](const Loss& loss) {
      return loss.part >= 0 && loss.kind != Loss::Kind::kLabel;
    });
  }

 private:
  const SalvageReport& report_;
};

bool SameMetadata(const ReplayArchive& a, const ReplayArchive& b, Pmid metric) {
  const auto in_a = a.metrics().find(metric);
  const auto in_b = b.metrics().find(metric);
  if (in_a == a.metrics().end() || in_b == b.metrics().end()) return in_b == b.metrics().end();
  const Descriptor& descriptor = in_a->second.descriptor;
  if (!(descriptor == in_b->second.descriptor)) return false;
  if (descriptor.indom.IsNull()) return true;
  const replay::ReplayDomain* const domain_a = a.DomainOf(descriptor.indom);
  const replay::ReplayDomain* const domain_b = b.DomainOf(descriptor.indom);
  if (domain_a == nullptr || domain_b == nullptr) return domain_a == domain_b;
  return std::ranges::equal(
      domain_a->records.steps(), domain_b->records.steps(), [](const auto& x, const auto& y) {
        return AsText(x.record->record.bytes) == AsText(y.record->record.bytes);
      });
}

// The answers next to what is stored otherwise than it was: values and marks that were changed,
// and, unless each loss shows in the report, those that are gone without a trace.
class Unknowable {
 public:
  Unknowable(const AnsweringArchive& original, const AnsweringArchive& saved,
             const Salvaged& salvaged, bool detected)
      : original_(original), saved_(saved) {
    const auto& before = original.observations();
    const auto& after = saved.observations();
    gone_ = !detected && !Declared(salvaged.report()).LosesData();
    std::vector<Timestamp> added;
    std::ranges::set_difference(after.marks, before.marks, std::back_inserter(added));
    if (added.size() > salvaged.report().marks_written) marks_ = added;
    if (gone_) std::ranges::set_difference(before.marks, after.marks, std::back_inserter(marks_));
  }

  bool Has(const Place& place, Timestamp time) {
    const auto [windows, is_new] = windows_.try_emplace(place);
    if (is_new) windows->second = WindowsOf(place);
    return std::ranges::any_of(windows->second,
                               [&](const Window& window) { return window.Has(time); });
  }

 private:
  std::vector<Window> WindowsOf(const Place& place) const {
    static const std::map<Timestamp, std::string> kNone;
    const auto of = [&](const AnsweringArchive& archive) -> const auto& {
      const auto found = archive.observations().values.find(place);
      return found == archive.observations().values.end() ? kNone : found->second;
    };
    const auto& before = of(original_);
    const auto& after = of(saved_);
    std::vector<Timestamp> common;
    std::vector<Timestamp> changed = marks_;
    for (const auto& [time, value] : after) {
      const auto found = before.find(time);
      (found != before.end() && found->second == value ? common : changed).push_back(time);
    }
    for (const auto& [time, value] : before) {
      if (gone_ && !after.contains(time)) changed.push_back(time);
    }
    std::vector<Window> windows;
    for (const Timestamp time : changed) {
      const auto next = std::ranges::upper_bound(common, time);
      const auto prior = std::ranges::lower_bound(common, time);
      windows.push_back({prior == common.begin() ? kBegin : *std::prev(prior),
                         next == common.end() ? kEnd : *next});
    }
    return windows;
  }

  const AnsweringArchive& original_;
  const AnsweringArchive& saved_;
  bool gone_ = false;
  std::vector<Timestamp> marks_;
  std::map<Place, std::vector<Window>> windows_;
};

std::string Shown(const AnswersAt& answers, const Place& place) {
  const auto found = answers.find(place);
  return found == answers.end() ? "none" : found->second;
}

}  // namespace

AnsweringArchive::AnsweringArchive(const FilesByName& files) {
  for (const auto& [name, content] : files) storage_.files["in/" + name] = content;
  auto opened = ReplayArchive::Open(storage_, {"in/base"});
  if (!opened) std::abort();
  archive_ = *std::move(opened);
  Observer observer(observations_, *archive_);
  if (archive_->Walk(ReplayArchive::VirtualMarks::kReference, observer)) std::abort();
}

std::vector<AnswersAt> AnsweringArchive::Answers(const Way& way, const std::vector<Pmid>& metrics,
                                                 const std::vector<Timestamp>& times) const {
  std::vector<AnswersAt> answers;
  replay::ReplayRequest request;
  std::map<Pmid, replay::InstanceNames> names;
  for (const Pmid pmid : metrics) {
    const auto metric = archive_->metrics().find(pmid);
    if (metric == archive_->metrics().end()) continue;
    request.metrics.push_back(pmid);
    const Indom indom = metric->second.descriptor.indom;
    const replay::ReplayDomain* const domain = indom.IsNull() ? nullptr : archive_->DomainOf(indom);
    if (domain != nullptr) names.emplace(pmid, replay::InstanceNames(*domain));
  }
  if (request.metrics.empty()) return std::vector<AnswersAt>(times.size());
  request.direction = way.steps == Way::Steps::kBackward ? -1 : 1;
  request.seeks = way.steps == Way::Steps::kSeeks;
  replay::ReplayContext context(*archive_, std::move(request),
                                replay::NamedProfiles().at(way.profile));
  const auto error = context.Fetch(times, [&](const replay::FetchAnswer& fetch) {
    AnswersAt& at = answers.emplace_back();
    for (const replay::MetricAnswer& metric : fetch.metrics) {
      const auto named = names.find(metric.pmid);
      for (const replay::InstanceAnswer& value : metric.values) {
        std::string& text = at[{metric.pmid, value.instance}];
        text = TextOf(value.value);
        if (named == names.end()) continue;
        text += " of " + std::string(named->second.At(value.instance, fetch.time));
      }
    }
  });
  if (error) std::abort();
  return answers;
}

OriginalAnswers::OriginalAnswers(const FilesByName& files) : original_(files) {
  for (const auto& [pmid, metric] : original_.archive().metrics()) metrics_.push_back(pmid);
  for (std::size_t profile = 0; profile < replay::NamedProfiles().size(); ++profile) {
    for (const auto steps : {Way::Steps::kSeeks, Way::Steps::kForward, Way::Steps::kBackward}) {
      Asked& asked = asked_.emplace_back();
      asked.way = {profile, steps};
      asked.times = TimesAround(original_.observations().times, steps == Way::Steps::kSeeks);
      if (steps == Way::Steps::kBackward) std::ranges::reverse(asked.times);
      asked.answers = original_.Answers(asked.way, metrics_, asked.times);
    }
  }
}

std::string OriginalAnswers::Wrong(const Salvaged& salvaged, bool detected, Tally* tally) const {
  if (!salvaged.saved()) return "";
  const AnsweringArchive saved(salvaged.out());
  const Declared declared(salvaged.report());
  Unknowable unknowable(original_, saved, salvaged, detected);
  std::set<Pmid> changed;
  for (const Pmid pmid : metrics_) {
    if (!detected && !SameMetadata(original_.archive(), saved.archive(), pmid)) {
      changed.insert(pmid);
    }
  }
  for (const Asked& asked : asked_) {
    const auto answers = saved.Answers(asked.way, metrics_, asked.times);
    for (std::size_t i = 0; i < asked.times.size(); ++i) {
      const Timestamp time = asked.times[i];
      std::set<Place> places;
      for (const auto& [place, value] : asked.answers[i]) places.insert(place);
      for (const auto& [place, value] : answers[i]) places.insert(place);
      for (const Place& place : places) {
        const std::string was = Shown(asked.answers[i], place);
        const std::string is = Shown(answers[i], place);
        if (was == is) {
          ++tally->same;
          continue;
        }
        // What a step crosses counts for the fetch after it (INT-706).
        const ReplayMetric& metric = original_.archive().metrics().at(place.first);
        const bool steps = asked.way.steps != Way::Steps::kSeeks && IsCounter(metric) && i > 0;
        const Timestamp before = steps ? asked.times[i - 1] : time;
        const auto observed = saved.observations().values.find(place);
        const bool known = !steps && observed != saved.observations().values.end() &&
                           observed->second.contains(time);
        if (declared.Has(place.first, std::min(before, time), std::max(before, time), known)) {
          ++tally->declared;
        } else if (changed.contains(place.first) || unknowable.Has(place, time) ||
                   (steps && unknowable.Has(place, before))) {
          ++tally->unknowable;
        } else {
          const char* const kSteps[] = {"seeking", "forward", "backward"};
          std::string text = ToText(place.first) + "[" + std::to_string(place.second) + "] at ";
          text += ToEpochText(time) + ", ";
          text += replay::NamedProfiles().at(asked.way.profile)->name();
          text += std::string(" ") + kSteps[static_cast<int>(asked.way.steps)];
          return text.append(": was ").append(was).append(", is ").append(is);
        }
      }
    }
  }
  return "";
}

}  // namespace pmproof::validator::testing
