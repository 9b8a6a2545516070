// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/replay_archive.h"

#include <algorithm>
#include <set>
#include <utility>

#include "reference/archive/archive_set.h"
#include "reference/archive/set_metrics.h"

namespace pmproof::replay {
namespace {

// INT-403: a domain with a record of so many instances has lives.
constexpr std::size_t kLarge = 16;

// The lives of the instances of one domain, followed over its records.
class Lives {
 public:
  explicit Lives(const Origin& origin) : origin_(origin) {}

  void Take(const archive::InstanceDomain::Step& step) {
    const double now = origin_.Relative(step.time);
    ++step_;
    const archive::IndomRecord& record = *step.record;
    for (std::uint32_t i = 0; i < record.count; ++i) {
      if (record.delta && record.NameOffset(i) < 0) {
        Leave(record.Id(i), now);
      } else {
        Enter(record.Id(i), now);
      }
    }
    if (!record.delta) LeaveOthers(now);
    large_ = large_ || present_.size() >= kLarge;
  }

  std::vector<Candidate> candidates() && {
    std::vector<Candidate> all;
    for (const auto& [id, life] : lives_) {
      all.push_back({id, life.birth, life.death, life.death ? life.last_step : step_});
    }
    return all;
  }
  bool large() const { return large_; }

 private:
  struct Life {
    double birth = 0;
    std::optional<double> death;
    std::size_t listed = 0;     // the last step that names it
    std::size_t last_step = 0;  // before the death
  };

  void Enter(std::int32_t id, double now) {
    const auto life = lives_.try_emplace(id, Life{now, std::nullopt, step_, 0}).first;
    life->second.death.reset();
    life->second.listed = step_;
    present_.insert(id);
  }

  void Leave(std::int32_t id, double now) {
    if (present_.erase(id) > 0) Die(&lives_[id], now);
  }

  void LeaveOthers(double now) {
    for (auto id = present_.begin(); id != present_.end();) {
      Life& life = lives_[*id];
      if (life.listed == step_) {
        ++id;
        continue;
      }
      Die(&life, now);
      id = present_.erase(id);
    }
  }

  void Die(Life* life, double now) const {
    life->death = now;
    life->last_step = step_ - 1;
  }

  const Origin& origin_;
  std::size_t step_ = 0;
  std::map<std::int32_t, Life> lives_;
  std::set<std::int32_t> present_;
  bool large_ = false;
};

Status SetError(ErrorCode code, const std::vector<std::string>& names) {
  constexpr std::size_t kMostNamed = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    list += (i == 0 ? "" : ",") + names[i];
  if (names.size() > kMostNamed)
    list += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return {.kind = Status::Kind::kDamaged,
          .file = list,
          .message = "the archives cannot be opened as one: " + ToText(code),
          .code = code};
}

}  // namespace

const Candidate* ReplayDomain::Find(std::int32_t id) const {
  const auto found = std::ranges::lower_bound(candidates, id, {}, &Candidate::id);
  return found != candidates.end() && found->id == id ? &*found : nullptr;
}

Result<std::unique_ptr<ReplayArchive>> ReplayArchive::Open(const archive::Storage& storage,
                                                           const std::vector<std::string>& names,
                                                           const archive::MemoryBudget& budget,
                                                           PcpVersion version) {
  archive::ArchiveFinder finder(storage);
  std::vector<archive::FoundArchive> found;
  for (const std::string& name : names) found.push_back(finder.Find(name));
  return OpenFound(storage, found, budget, version);
}

Result<std::unique_ptr<ReplayArchive>> ReplayArchive::OpenFound(
    const archive::Storage& storage, std::span<const archive::FoundArchive> found,
    const archive::MemoryBudget& budget, PcpVersion version) {
  std::unique_ptr<ReplayArchive> opened(new ReplayArchive(storage));
  std::vector<archive::OpenedMember> members;
  std::vector<std::string> names;
  for (const archive::FoundArchive& archive : found) {
    names.push_back(archive.files().Name());
    members.push_back(archive::OpenMember(storage, archive, budget.Reading(), budget.Metadata()));
  }
  if (members.size() == 1 && members.front().error) return tl::unexpected(*members.front().error);
  std::ranges::stable_sort(members, [](const auto& a, const auto& b) {
    if (a.error || b.error) return !a.error && b.error;
    return a.label->start.Normalised() < b.label->start.Normalised();
  });

  archive::IgnoringReporter ignored;
  archive::SetMetrics metrics;
  std::map<std::string, std::size_t> positions;
  std::vector<archive::SetMember> known;
  for (std::size_t i = 0; i < members.size(); ++i) {
    archive::SetMember& member = known.emplace_back();
    member.name = members[i].files.Name();
    positions.emplace(member.name, i);
    if (members[i].error) {
      member.error = members[i].error->code;
      opened->passed_over_.push_back(*members[i].error);
      continue;
    }
    member.host = members[i].label->host;
    member.start = members[i].label->start;
    // An archive alone is at odds with no other.
    if (members.size() == 1) continue;
    member.clash = metrics.Add(member.name, members[i].metadata.descs, ignored);
  }
  const archive::ArchiveSet set(std::move(known));
  const archive::ArchiveSet::Opened used = set.Open(version);
  if (used.used.empty()) {
    // ARC-554: the earlier versions refuse the set for its first such member.
    if (version != PcpVersion::k7_2 && !opened->passed_over_.empty()) {
      return tl::unexpected(opened->passed_over_.front());
    }
    return tl::unexpected(SetError(used.error, names));
  }
  for (const std::size_t i : used.used) {
    opened->members_.push_back(std::move(members[positions.at(set.members()[i].name)]));
  }
  opened->origin_ = Origin(opened->members_.front().label->start);
  for (const archive::OpenedMember& member : opened->members_) opened->AddMetrics(member.metadata);
  opened->CollectDomains();
  return opened;
}

// ARC-307, ARC-309, ARC-553: the first descriptor of a metric defines it, a name belongs to the
// first metric that has it.
void ReplayArchive::AddMetrics(const archive::Metadata& metadata) {
  for (const archive::DescRecord& desc : metadata.descs) {
    ReplayMetric& metric =
        metrics_.try_emplace(desc.descriptor.pmid, ReplayMetric{desc.descriptor, {}}).first->second;
    desc.ForEachName([&](std::string_view name, std::size_t) {
      if (names_.emplace(name, desc.descriptor.pmid).second) metric.names.push_back(name);
    });
  }
}

void ReplayArchive::CollectDomains() {
  std::map<Indom, std::vector<const archive::IndomRecord*>> records;
  for (const archive::OpenedMember& member : members_) {
    for (const archive::IndomRecord& record : member.metadata.indoms) {
      records[record.indom].push_back(&record);
    }
  }
  for (const auto& [indom, of_domain] : records) {
    ReplayDomain& domain = domains_[indom];
    domain.records = archive::InstanceDomain(of_domain);
    Lives lives(origin_);
    for (const auto& step : domain.records.steps()) lives.Take(step);
    domain.large = lives.large();
    domain.candidates = std::move(lives).candidates();
  }
}

std::optional<Pmid> ReplayArchive::Find(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? std::nullopt : std::optional<Pmid>(found->second);
}

const ReplayDomain* ReplayArchive::DomainOf(Indom indom) const {
  const auto found = domains_.find(indom);
  return found == domains_.end() ? nullptr : &found->second;
}

std::string ReplayArchive::FileName(const RecordPlace& place) const {
  return members_.at(place.member).files.FileName(place.volume);
}

}  // namespace pmproof::replay
