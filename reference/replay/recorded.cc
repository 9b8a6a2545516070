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
      : request_(request),
        sink_(sink),
        left_(request.count),
        begins_(request.start),
        position_(request.start.value_or(archive.origin().start())) {
    for (std::size_t i = 0; i < request.metrics.size(); ++i) {
      const Pmid pmid = request.metrics[i];
      answer_.metrics.push_back({pmid, ErrorCode::kOk, {}, {}});
      const auto metric = archive.metrics().find(pmid);
      if (metric == archive.metrics().end()) continue;  // INT-405c
      Slot& slot = slots_.try_emplace(pmid, Slot{&metric->second.descriptor, {}, 0}).first->second;
      slot.positions.push_back(i);
    }
  }

  const RecordedEnd& end() const { return end_; }

  // The member that reading goes on with after the last walk, if any.
  std::optional<std::size_t> TakeNextMember() { return std::exchange(next_member_, std::nullopt); }

  bool OnFrame(const RecordFrame& frame, const ReplayArchive& archive) override {
    last_ = frame.moment.time;
    if (!HasBegunAt(last_)) return true;
    if (request_.finish && *request_.finish < last_) return false;
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
    answer_.time = position_ = moment.time;
    sink_(answer_);
    return --left_ > 0;
  }

  bool OnMark(const Moment&, const RecordPlace&) override { return true; }

  bool OnDamage(const Moment& moment, const Status& status) override {  // INT-1007
    return !HasBegunAt(moment.time) || Fail(ErrorCode::kLogRecord, status);
  }

  bool OnLost(const Moment& moment, const Status& status, bool at_the_end) override {
    if (!at_the_end && !HasBegunAt(moment.time)) return true;
    end_.status = ErrorCode::kLogRecord;
    if (at_the_end) {
      end_.cut = status;
    } else {
      Fail(end_.status, status);
    }
    return false;
  }

  // The records that the earlier archive ends later than, and a millisecond more (INT-1005), are
  // not met any more.
  void OnOverlap(std::size_t member, const Status& status) override {
    if (!Fail(status.code, status)) return;
    next_member_ = member;
    begins_ = last_ + 1'000'000;
  }

 private:
  struct Slot {
    const Descriptor* descriptor = nullptr;
    std::vector<std::size_t> positions;  // in the answer
    std::uint64_t seen_in = 0;           // the last record that had it
  };

  bool HasBegunAt(Timestamp time) {
    if (begins_ && !(time < *begins_)) begins_.reset();
    return !begins_;
  }

  // False if that was the last answer.
  bool Fail(ErrorCode code, const Status& status) {
    sink_({position_, code, {}, status.ToText()});
    return --left_ > 0;
  }

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
  std::optional<Timestamp> begins_;  // nothing once a record was met that is not earlier
  Timestamp position_;               // of the last answer
  Timestamp last_;                   // of the last record, or mark, that was met
  std::optional<std::size_t> next_member_;
  std::unordered_map<Pmid, Slot> slots_;
  std::uint64_t record_ = 0;  // counted from 1
  FetchAnswer answer_;
  RecordedEnd end_;
};

}  // namespace

Result<RecordedEnd> ReadRecorded(const ReplayArchive& archive, const RecordedRequest& request,
                                 const AnswerSink& sink) {
  if (request.count == 0) return RecordedEnd();
  RecordedReader reader(archive, request, sink);
  std::optional<std::size_t> member =
      request.start ? archive.FirstMember(*request.start, 1) : 0;  // INT-907
  for (; member; member = reader.TakeNextMember()) {
    if (auto error = archive.Walk(ReplayArchive::VirtualMarks::kForward, reader, *member))
      return tl::unexpected(*error);
  }
  return reader.end();
}

}  // namespace pmproof::replay
