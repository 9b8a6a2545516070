// SPDX-License-Identifier: Apache-2.0
#include "validator/against/label_pair.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "reference/core/bytes.h"

namespace pmproof::validator::against {
namespace {

constexpr std::size_t kSetHeader = 12;  // instance, length of the JSON, number of entries
constexpr std::size_t kEntry = 8;

// Whether a set says anything.
bool IsEmpty(const archive::LabelSet& set) { return set.count == 0 && set.json.empty(); }

// All of a set but the instance: JSON with its length, entries with their number.
std::string_view ContentOf(const archive::LabelRecord& record, const archive::LabelSet& set) {
  const std::size_t entries = set.count > 0 ? kEntry * static_cast<std::size_t>(set.count) : 0;
  return AsText(
      record.record.bytes.subspan(set.offset + 4, kSetHeader - 4 + set.json.size() + entries));
}

// The JSON of it, for people; of a set without any the error that it stands for (ARC-399).
std::string Shown(std::string_view content) {
  if (content.empty()) return "";
  const Bytes bytes = AsBytes(content);
  const std::uint32_t size = LoadU32(bytes.data());
  if (size > 0) return Shortened(content.substr(4, size));
  return "error " + std::to_string(LoadI32(bytes.data() + 4));
}

std::optional<std::string_view> Find(const std::map<std::int32_t, std::string_view>& sets,
                                     std::int32_t instance) {
  const auto found = sets.find(instance);
  if (found == sets.end()) return std::nullopt;
  return found->second;
}

}  // namespace

LabelPair::LabelPair(const LabelSubject& subject, std::string name, const Records& original,
                     const Records& replacement, DifferenceLog& log)
    : InForce([this](std::int32_t item, const Mismatch& mismatch, Timestamp first, Timestamp last) {
        Log(item, mismatch, first, last);
      }),
      subject_(subject),
      name_(std::move(name)),
      log_(log),
      original_(StateOf(original)),
      replacement_(StateOf(replacement)) {}

LabelPair::State LabelPair::StateOf(const Records& records) {
  State state;
  for (const archive::LabelRecord* record : records) {
    state.steps.push_back({record->time.Normalised(), record});
  }
  std::ranges::stable_sort(state.steps, {}, &Step::time);
  const auto rest = std::ranges::unique(state.steps, {}, &Step::time);
  state.steps.erase(rest.begin(), rest.end());
  return state;
}

LabelPair::Sets LabelPair::SetsOf(const archive::LabelRecord& record) {
  Sets sets;
  record.ForEachSet([&](const archive::LabelSet& set) {
    if (!IsEmpty(set)) sets.emplace(set.instance, ContentOf(record, set));
  });
  return sets;
}

void LabelPair::AdvanceTo(Timestamp time) {
  changed_.clear();
  Advance(original_, time);
  Advance(replacement_, time);
  if (changed_.empty()) return;
  std::ranges::sort(changed_);
  const auto rest = std::ranges::unique(changed_);
  changed_.erase(rest.begin(), rest.end());
  for (const std::int32_t instance : changed_) {
    Set(instance, Compare(Find(original_.sets, instance), Find(replacement_.sets, instance)));
  }
}

void LabelPair::Advance(State& state, Timestamp time) {
  while (state.taken < state.steps.size() && state.steps[state.taken].time <= time) {
    for (const auto& [instance, content] : state.sets) changed_.push_back(instance);
    state.sets = SetsOf(*state.steps[state.taken++].record);
    for (const auto& [instance, content] : state.sets) changed_.push_back(instance);
  }
}

void LabelPair::Log(std::int32_t instance, const Mismatch& mismatch, Timestamp first,
                    Timestamp last) {
  log_.Add(
      {Kind::kLabels, mismatch.change, subject_.identifier,
       static_cast<std::uint32_t>(subject_.label_class)},
      first, last,
      [&] {
        Difference difference;
        difference.subject = name_;
        if (subject_.label_class == LabelClass::kItem) {
          difference.pmid = Pmid{subject_.identifier};
        }
        return difference;
      },
      [&] {
        Example example{.at = {}, .item = {}, .was = Shown(mismatch.was), .is = Shown(mismatch.is)};
        if (instance != kInstanceNull) example.item = std::to_string(instance);
        if (mismatch.change == Change::kChanged && example.was == example.is) {
          example.is += " (flags or offsets are other)";
        }
        return example;
      });
}

void LabelPair::LogNeverSeen() {
  LogOnlyIn(original_, replacement_, Change::kLost);
  LogOnlyIn(replacement_, original_, Change::kAdded);
}

void LabelPair::LogOnlyIn(const State& has, const State& lacks, Change change) {
  std::set<std::pair<std::int32_t, std::string_view>> there;
  for (const Step& step : lacks.steps) {
    for (const auto& set : SetsOf(*step.record)) there.insert(set);
  }
  for (const Step& step : has.steps) {
    for (const auto& [instance, content] : SetsOf(*step.record)) {
      if (Told(instance) || !there.emplace(instance, content).second) continue;
      Mismatch mismatch;
      mismatch.change = change;
      (change == Change::kLost ? mismatch.was : mismatch.is) = content;
      Log(instance, mismatch, step.time, step.time);
    }
  }
}

}  // namespace pmproof::validator::against
