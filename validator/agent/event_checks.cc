// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include "reference/core/event_array.h"
#include "validator/agent/check.h"
#include "validator/agent/fetch.h"
#include "validator/agent/offence_walk.h"

// 16.2, arrays of events (5.3).

namespace pmproof::validator::agent {
namespace {

constexpr std::uint32_t kFlags =
    kEventPoint | kEventStart | kEventEnd | kEventId | kEventParent | kEventMissed;

// Walks the arrays of one session, and asks for the descriptor of each parameter once.
class EventWalk {
 public:
  explicit EventWalk(Session& session) : session_(session) {}

  // What is wrong with the body of one block.
  VerdictOr<void> Walk(Bytes body, bool highres) {
    EventArray array(body, highres);
    const auto count = array.record_count();
    if (!count) return Failed("it is too short for the number of its records");
    if (*count < 0) return Failed("it has " + std::to_string(*count) + " records");
    while (const auto record = array.NextRecord()) {
      ++records_;
      if (const auto walked = Walk(array, *record); !walked) return walked;
    }
    if (array.fault()) {
      return Failed("a record or parameter at byte " + std::to_string(*array.fault()) +
                    " leaves it [PDU-174]");
    }
    if (array.position() < body.size()) {
      return Failed(std::to_string(body.size() - array.position()) +
                    " bytes after the last record");
    }
    return {};
  }

  std::size_t records() const { return records_; }
  // What no clause forbids, but is worth knowing.
  const std::string& note() const { return note_; }

 private:
  VerdictOr<void> Walk(EventArray& array, const EventRecord& record) {
    const std::string at = "the record at byte " + std::to_string(record.offset);
    if ((record.flags & ~kFlags) != 0) {
      return Failed(at + " has flags " + std::to_string(record.flags) + " [PDU-171]");
    }
    if (record.parameter_count < 0) {
      return Failed(at + " has " + std::to_string(record.parameter_count) + " parameters");
    }
    if (record.missed()) return {};
    while (const auto parameter = array.NextParameter()) {
      if (const auto described = Describe(*parameter); !described) return described;
    }
    return {};
  }

  VerdictOr<void> Describe(const EventParameter& parameter) {
    const std::string text = "the parameter " + ToText(parameter.pmid);
    if (parameter.type < MetricType::k32 || parameter.type > MetricType::kAggregate) {
      return Failed(text + " is of type " + ToText(parameter.type) + " [PDU-170]");
    }
    if (const std::uint32_t size = NumericSize(parameter.type);
        size > 0 && parameter.payload.size() != size) {
      return Failed(text + " has " + std::to_string(parameter.payload.size()) +
                    " bytes, where type " + ToText(parameter.type) + " has " +
                    std::to_string(size));
    }
    auto known = types_.find(parameter.pmid);
    if (known == types_.end()) {
      const auto answer = session_.Expect<pdu::Desc>(pdu::DescReq{parameter.pmid});
      if (!answer) return Failed(text + ": " + answer.error().because);
      known = types_.emplace(parameter.pmid, answer->As<pdu::Desc>()->descriptor.type).first;
    }
    if (known->second != parameter.type) {
      note_ = text + " is of type " + ToText(parameter.type) + ", its descriptor says " +
              ToText(known->second);
    }
    return {};
  }

  Session& session_;
  std::map<Pmid, MetricType> types_{};
  std::size_t records_ = 0;
  std::string note_{};
};

// CKA-049
Verdict EventArraysDecode(Bench& bench, Session& session) {
  // What an agent has of events differs from fetch to fetch.
  constexpr int kFetches = 16;
  std::vector<Pmid> pmids;
  for (const KnownMetric& metric : bench.knowledge().metrics) {
    if (IsEvent(metric.descriptor.type)) pmids.push_back(metric.pmid);
  }
  if (pmids.empty()) return Verdict::NotChecked("no metric of the agent is an array of events");
  EventWalk walk(session);
  OffenceWalk offences(bench, session);
  bool any = false;
  for (int i = 0; i < kFetches; ++i) {
    const auto fetched = FetchForValues(session, pmids);
    if (!fetched) return offences.Or(fetched.error());
    for (const pdu::ValueSet& set : fetched->result().sets) {
      const KnownMetric& metric = *bench.knowledge().Find(set.pmid);
      for (const pdu::InstanceValue& value : set.values) {
        if (value.type != metric.descriptor.type) continue;  // CKA-036
        any = true;
        const auto walked =
            walk.Walk(value.body, metric.descriptor.type == MetricType::kHighresEvent);
        if (walked) continue;
        if (!offences.GoOn("the array of events of " + metric.ToText() + ", instance " +
                           std::to_string(value.instance) + ": " + walked.error().because)) {
          return offences.Or(walked.error());
        }
      }
    }
  }
  if (offences.any()) return offences.Or(Verdict::Pass());
  if (!any) return Verdict::NotChecked("no metric of events has a value");
  return Verdict::Pass(std::to_string(walk.records()) + " records" +
                       (walk.note().empty() ? "" : "; " + walk.note()));
}

constexpr Check kChecks[] = {
    {"CKA-049"_clause, EventArraysDecode},
};

}  // namespace

std::span<const Check> EventChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
