// SPDX-License-Identifier: Apache-2.0
#include "validator/against/domain_pair.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace pmproof::validator::against {
namespace {

// An instance as a record lists it.
struct Listed {
  std::int32_t id = 0;
  std::string_view name;
  Timestamp time;

  friend auto operator<=>(const Listed&, const Listed&) = default;
};

std::vector<Listed> EverListed(const archive::InstanceDomain& domain) {
  std::vector<Listed> all;
  for (const archive::InstanceDomain::Step& step : domain.steps()) {
    for (std::uint32_t i = 0; i < step.record->count; ++i) {
      if (const auto name = step.record->Name(i)) {
        all.push_back({step.record->Id(i), *name, step.time});
      }
    }
  }
  std::ranges::sort(all);
  const auto same = [](const Listed& a, const Listed& b) {
    return a.id == b.id && a.name == b.name;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

}  // namespace

DomainPair::DomainPair(Indom indom, const Records& original, const Records& replacement,
                       DifferenceLog& log)
    : InForce([this](std::int32_t item, const Mismatch& mismatch, Timestamp first, Timestamp last) {
        Log(item, mismatch, first, last);
      }),
      indom_(indom),
      log_(log),
      original_(original),
      replacement_(replacement) {}

std::optional<std::string_view> DomainPair::NameAt(std::int32_t id, Timestamp time) {
  AdvanceTo(time);
  const auto name = original_.cursor.Name(id);
  return name ? name : replacement_.cursor.Name(id);
}

void DomainPair::AdvanceTo(Timestamp time) {
  changed_.clear();
  Advance(original_, time);
  Advance(replacement_, time);
  if (changed_.empty()) return;
  std::ranges::sort(changed_);
  const auto rest = std::ranges::unique(changed_);
  changed_.erase(rest.begin(), rest.end());
  for (const std::int32_t id : changed_) {
    Set(id, Compare(original_.cursor.Name(id), replacement_.cursor.Name(id)));
  }
}

void DomainPair::Advance(State& state, Timestamp time) {
  const std::size_t until = state.domain.StepsUntil(time);
  const auto note = [this](std::int32_t id, std::string_view) { changed_.push_back(id); };
  while (state.cursor.version() < until) {
    const archive::IndomRecord& record = *state.domain.steps()[state.cursor.version()].record;
    if (!record.delta) state.cursor.ForEach(note);  // those that it may end
    for (std::uint32_t i = 0; i < record.count; ++i) changed_.push_back(record.Id(i));
    state.cursor.AdvanceToStep(state.cursor.version() + 1);
  }
}

void DomainPair::Log(std::int32_t item, const Mismatch& mismatch, Timestamp first, Timestamp last) {
  log_.Add(
      {Kind::kInstances, mismatch.change, indom_.value}, first, last,
      [&] {
        Difference difference;
        difference.subject = "instance domain " + ToText(indom_);
        return difference;
      },
      [&] {
        return Example{.at = {},
                       .item = std::to_string(item),
                       .was = Shortened(mismatch.was),
                       .is = Shortened(mismatch.is)};
      });
}

void DomainPair::LogNeverSeen() {
  LogOnlyIn(original_, replacement_, Change::kLost);
  LogOnlyIn(replacement_, original_, Change::kAdded);
}

void DomainPair::LogOnlyIn(const State& has, const State& lacks, Change change) {
  const std::vector<Listed> there = EverListed(lacks.domain);
  for (const Listed& listed : EverListed(has.domain)) {
    const auto found =
        std::ranges::lower_bound(there, std::pair(listed.id, listed.name), {},
                                 [](const Listed& each) { return std::pair(each.id, each.name); });
    if (found != there.end() && found->id == listed.id && found->name == listed.name) continue;
    if (Told(listed.id)) continue;
    Mismatch mismatch;
    mismatch.change = change;
    (change == Change::kLost ? mismatch.was : mismatch.is) = listed.name;
    Log(listed.id, mismatch, listed.time, listed.time);
  }
}

}  // namespace pmproof::validator::against
