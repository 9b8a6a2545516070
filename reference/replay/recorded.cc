// SPDX-License-Identifier: Apache-2.0
#include "reference/replay/recorded.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "reference/archive/data_record.h"
#include "reference/replay/stored_value.h"

namespace pmproof::replay {
namespace {

class RecordedReader final : public RecordVisitor {
 public:
  RecordedReader(const ReplayArchive& archive, const RecordedRequest& request,
                 const AnswerSink& sink)
      : request_(request), sink_(sink), left_(request.count), begun_(!request.start) {
    for (std::size_t i = 0; i < request.metrics.size(); ++i) {
      const Pmid pmid = request.metrics[i];
      answer_.metrics.push_back({pmid, ErrorCode::kOk, {}, {}});
      const auto metric = archive.metrics().find(pmid);
      if (metric == archive.metrics().end()) continue;  // INT-405c
      Slot& slot = slots_.try_emplace(pmid, Slot{&metric->second.descriptor, {}, 0}).first->second;
      slot.positions.push_back(i);
    }
  }

  const std::optional<Status>& error() const { return error_; }

  bool OnFrame(const RecordFrame& frame, const ReplayArchive& archive) override {
    const Timestamp time = frame.moment.time;
    begun_ = begun_ || !(time < *request_.start);
    if (!begun_) return true;
    if (request_.finish && *request_.finish < time) return false;
    return frame.Deliver(archive, *this);
  }

  bool OnRecord(const archive::DataRecord& record, const Moment& moment,
                const RecordPlace&) override {
    ++record_;
    bool found = false;
    record.ForEachSet([&](const archive::ValueSet& set) {
      const auto slot = slots_.find(set.pmid());
      if (slot == slots_.end() || slot->second.seen_in == record_) return;
      slot->second.seen_in = record_;
      found = true;
      for (const std::size_t position : slot->second.positions) {
        Take(set, *slot->second.descriptor, &answer_.metrics[position]);
      }
    });
    if (!found) return true;
    for (auto& [pmid, slot] : slots_) {
      if (slot.seen_in == record_) continue;
      for (const std::size_t position : slot.positions) Clear(&answer_.metrics[position]);
    }
    answer_.time = moment.time;
    sink_(answer_);
    return --left_ > 0;
  }

  bool OnMark(const Moment&, const RecordPlace&) override { return true; }

  void OnOverlap(const Status& status) override { error_ = status; }

  bool OnDamage(const Moment&, const Status& status) override {
    if (!begun_) return true;
    error_ = status;
    return false;
  }

 private:
  struct Slot {
    const Descriptor* descriptor = nullptr;
    std::vector<std::size_t> positions;  // in the answer
    std::uint64_t seen_in = 0;           // the last record that had it
  };

  static void Clear(MetricAnswer* answer) {
    answer->status = ErrorCode::kOk;
    answer->message.clear();
    answer->values.clear();
  }

  void Take(const archive::ValueSet& set, const Descriptor& descriptor,
            MetricAnswer* answer) const {
    Clear(answer);
    if (set.numval() < 0) {
      answer->status = static_cast<ErrorCode>(set.numval());
      answer->message = "recorded in place of values [ARC-203]";
      return;
    }
    const bool singular = descriptor.indom.IsNull();
    const bool insitu = set.count() > 0 && set.format() == archive::kInsitu;
    const bool fits = insitu ? MayBeInsitu(descriptor.type) : MayBeInBlock(descriptor.type);
    for (std::uint32_t i = 0; i < set.count(); ++i) {
      const std::int32_t instance = singular ? kInstanceNull : set.Instance(i);
      if (!singular && !request_.instances.Includes(descriptor.indom, instance)) continue;
      const std::optional<Value> value =
          fits ? ReadStoredValue(set, i, descriptor.type) : std::nullopt;
      if (!value) {
        Clear(answer);
        answer->status = ErrorCode::kLogRecord;
        answer->message = "a value is not stored as one of its type";
        return;
      }
      answer->values.push_back({instance, *value, "DER-1106"_clause, std::nullopt});
    }
  }

  const RecordedRequest& request_;
  const AnswerSink& sink_;
  std::uint64_t left_;
  bool begun_;  // the first record that is not before the start was met
  std::unordered_map<Pmid, Slot> slots_;
  std::uint64_t record_ = 0;  // counted from 1
  FetchAnswer answer_;
  std::optional<Status> error_;
};

}  // namespace

std::optional<Status> ReadRecorded(const ReplayArchive& archive, const RecordedRequest& request,
                                   const AnswerSink& sink) {
  if (request.count == 0) return std::nullopt;
  RecordedReader reader(archive, request, sink);
  const std::size_t first = request.start ? archive.FirstMember(*request.start, 1) : 0;  // INT-907
  if (auto error = archive.Walk(ReplayArchive::VirtualMarks::kForward, reader, first)) return error;
  return reader.error();
}

}  // namespace pmproof::replay
