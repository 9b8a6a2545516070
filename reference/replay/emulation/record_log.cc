// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/emulation/record_log.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reference/archive/addressable_source.h"
#include "reference/archive/index.h"

namespace pmproof::replay::emulation {
namespace {

Status NotModelled(std::string message) {
  return {.kind = Status::Kind::kUnsupported,
          .clause = "INT-1401"_clause,
          .message = "the emulation does not model " + std::move(message)};
}

// INT-412.
bool CanBeReplayed(MetricType type) {
  return IsNumeric(type) || IsEvent(type) || type == MetricType::kString ||
         type == MetricType::kAggregate || type == MetricType::kNoSupport;
}

// INT-409: chains by the identifier, each instance put to the front of its own.
std::vector<Candidate> InOrderOfAnswers(std::vector<Candidate> candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.last_step != b.last_step ? a.last_step > b.last_step : a.id < b.id;
  });
  std::vector<std::vector<Candidate>> chains(candidates.size());
  for (const Candidate& candidate : candidates) {
    auto& chain = chains[static_cast<std::uint32_t>(candidate.id) % chains.size()];
    chain.insert(chain.begin(), candidate);
  }
  std::vector<Candidate> ordered;
  for (const auto& chain : chains) ordered.insert(ordered.end(), chain.begin(), chain.end());
  return ordered;
}

}  // namespace

class RecordLog::Loader final : public RecordVisitor, public ObservationSink {
 public:
  Loader(RecordLog& log, std::span<const WantedMetric> wanted, std::vector<std::size_t> cells,
         std::size_t memory)
      : log_(log), reader_(wanted, *this), cells_(std::move(cells)), memory_(memory) {}

  bool OnRecord(const archive::DataRecord& record, const Moment& moment,
                const RecordPlace& place) override {
    Add(moment, place, /*mark=*/false);
    if (moment.at < 0) refusal_ = NotModelled("records before the start of the archive (DEV-20)");
    return reader_.OnRecord(record, moment, place) && !Refused();
  }
  bool OnMark(const Moment& moment, const RecordPlace& place) override {
    Add(moment, place, /*mark=*/true);
    return !Refused();
  }
  bool OnDamage(const Moment&, const Status& status) override {
    refusal_ = NotModelled("damaged records: " + status.ToText());
    return false;
  }

  void OnObservation(std::size_t cell, const Observation& observation) override {
    if (observation.kind != Bound::Kind::kValue) refusal_ = NotModelled("the forms of INT-411");
    LoggedValue& logged =
        log_.records_.back().values.emplace_back(LoggedValue{cells_[cell], observation.value});
    used_ += sizeof logged;
    if (observation.value.opaque.empty()) return;
    used_ += sizeof(std::string) + observation.value.opaque.size();
    log_.opaque_.emplace_back(AsText(observation.value.opaque));
    logged.value.opaque = AsBytes(log_.opaque_.back());
  }
  void OnBarrier(const Barrier&) override {}

  const std::optional<Status>& refusal() const { return refusal_; }

 private:
  void Add(const Moment& moment, const RecordPlace& place, bool mark) {
    log_.records_.push_back({moment.at, place.volume, place.offset, mark, {}});
    log_.volume_sizes_[place.volume] = place.offset + place.length;
    log_.last_volume_ = place.volume;
    used_ += sizeof(LoggedRecord);
  }
  bool Refused() {
    if (used_ > memory_ && !refusal_) {
      refusal_ = Status{.kind = Status::Kind::kBudget,
                        .message = "the records do not fit the memory allowed"};
    }
    return refusal_.has_value();
  }

  RecordLog& log_;
  ObservationReader reader_;
  std::vector<std::size_t> cells_;  // by the cells of the reader
  std::size_t memory_;
  std::size_t used_ = 0;
  std::optional<Status> refusal_;
};

namespace {

// The entries of the index, each with the record at its offset, or the one after its volume; an
// error if there is none.
Result<std::vector<LoggedEntry>> ReadIndex(const ReplayArchive& archive, const RecordLog& log) {
  std::vector<LoggedEntry> entries;
  const archive::OpenedMember& member = archive.members().front();
  const auto file = member.files.parts.find(archive::kIndexPart);
  if (file == member.files.parts.end()) return entries;
  const auto stored = archive.storage().Open(file->second.path);
  if (!stored) return tl::unexpected(stored.error());
  const std::string name = archive.FileName({.volume = archive::kIndexPart});
  auto source =
      archive::MakeAddressable(archive::MakeSource(**stored, name, file->second.compression), name);
  if (!source) return tl::unexpected(source.error());
  const auto content = (*source)->Window(~std::size_t{0});
  if (!content) return tl::unexpected(content.error());
  const int version = member.label->version;
  const std::size_t label = archive::LayoutOf(version).label;
  const archive::IndexView index(content->subspan(std::min(label, content->size())), version);

  std::map<std::pair<archive::Part, std::uint64_t>, std::size_t> ordinals;
  for (std::size_t i = 0; i < log.records().size(); ++i) {
    const LoggedRecord& record = log.records()[i];
    ordinals.emplace(std::pair(record.volume, record.offset), i);
    // The end of the volume, where the last entry of old archives points to (ARC-1927).
    ordinals.insert_or_assign(std::pair(record.volume, log.VolumeSize(record.volume)), i + 1);
  }
  for (std::size_t i = 0; i < index.size(); ++i) {
    const archive::IndexEntry entry = index[i];
    const auto offset = static_cast<std::uint64_t>(entry.data_offset);
    const auto record = ordinals.find({entry.volume, offset});
    if (record == ordinals.end()) {
      return tl::unexpected(NotModelled("an index entry that points to no record (ARC-1917)"));
    }
    entries.push_back(
        {entry.time, archive.origin().Relative(entry.time), entry.volume, offset, record->second});
  }
  return entries;
}

}  // namespace

Result<std::unique_ptr<RecordLog>> RecordLog::Load(const ReplayArchive& archive,
                                                   std::span<const Pmid> metrics,
                                                   std::size_t memory) {
  if (archive.members().size() != 1) {
    return tl::unexpected(NotModelled(
        "several archives as one, where PCP loses its place at their borders (INT-1408): "
        "emulate each archive by itself"));
  }
  std::unique_ptr<RecordLog> log(new RecordLog());
  log->origin_ = archive.origin();
  std::vector<WantedMetric> wanted;
  std::vector<std::size_t> cells;
  for (const Pmid pmid : metrics) {
    LoggedMetric& metric = log->metrics_.emplace_back();
    WantedMetric& of_reader = wanted.emplace_back();
    metric.descriptor = of_reader.descriptor = archive.metrics().at(pmid).descriptor;
    if (!CanBeReplayed(metric.descriptor.type)) {
      return tl::unexpected(
          NotModelled("values of type " + ToText(metric.descriptor.type) + " (DEV-19)"));
    }
    metric.singular = of_reader.singular = metric.descriptor.indom.IsNull();
    metric.first_cell = cells.size();
    const ReplayDomain* domain = archive.DomainOf(metric.descriptor.indom);
    if (metric.singular) {
      metric.instances = of_reader.instances = {kInstanceNull};
    } else if (domain != nullptr) {
      metric.has_lives = domain->large;
      metric.lives = InOrderOfAnswers(domain->candidates);
      for (const Candidate& life : metric.lives) metric.instances.push_back(life.id);
      of_reader.instances = metric.instances;
      std::ranges::sort(of_reader.instances);
    }
    for (const std::int32_t id : of_reader.instances) {
      const auto place = std::ranges::find(metric.instances, id) - metric.instances.begin();
      cells.push_back(metric.first_cell + static_cast<std::size_t>(place));
    }
  }
  Loader loader(*log, wanted, std::move(cells), memory);
  if (auto error = archive.Walk(ReplayArchive::VirtualMarks::kForward, loader)) {
    return tl::unexpected(*error);
  }
  if (loader.refusal()) return tl::unexpected(*loader.refusal());
  auto index = ReadIndex(archive, *log);
  if (!index) return tl::unexpected(index.error());
  log->index_ = std::move(*index);
  for (const LoggedRecord& record : log->records_) {
    if (record.mark) log->marks_.push_back(record.at);
  }
  std::ranges::sort(log->marks_);
  return log;
}

std::uint64_t RecordLog::VolumeSize(archive::Part volume) const {
  const auto found = volume_sizes_.find(volume);
  return found == volume_sizes_.end() ? 0 : found->second;
}

}  // namespace pmproof::replay::emulation
