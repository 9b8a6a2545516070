// 16.2, values.

#include <algorithm>
#include <array>
#include <csignal>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;
using Sets = std::vector<EditableSet>;

// More than any check asks for but those that want much, or all there is.
constexpr std::size_t kMany = 5;
constexpr std::size_t kVeryMany = 1000;

template <MetricType kType>
bool IsSingular(const MetricModel& metric) {
  return metric.type == kType && !metric.indom && metric.has_value() && !metric.writable &&
         metric.semantics != Semantics::kCounter;
}
bool IsCounter(const MetricModel& metric) {
  return metric.type == MetricType::kU32 && !metric.indom && metric.has_value() &&
         metric.semantics == Semantics::kCounter;
}
bool IsUnsupported(const MetricModel& metric) { return metric.type == MetricType::kNoSupport; }

std::size_t Asked(const Request& request) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch == nullptr ? 0 : fetch->pmids.size();
}

bool Fetches(const Scene& scene, const Request& request, const MetricModel* metric) {
  const auto* fetch = request.As<pdu::Fetch>();
  return fetch != nullptr && metric != nullptr &&
         std::ranges::find(fetch->pmids, scene.PmidOf(*metric)) != fetch->pmids.end();
}

// Edits the value sets, with values, of the first metric of that kind.
template <bool (*kFits)(const MetricModel&), void (*kEdit)(Scene&, EditableSet&)>
void Tell(Scene& scene, const Request& request, Buffer& reply) {
  const MetricModel* metric = scene.Find(kFits);
  if (!Fetches(scene, request, metric)) return;
  EditSets(reply, [&](Sets& sets) {
    for (EditableSet& one : sets) {
      if (one.set.pmid == scene.PmidOf(*metric)) kEdit(scene, one);
    }
  });
}

// A body that stays until the reply is encoded.
void Rewrite(Scene& scene, pdu::InstanceValue& value, const std::function<void(Buffer&)>& edit) {
  scene.bodies.emplace_back(value.body.begin(), value.body.end());
  edit(scene.bodies.back());
  value.body = scene.bodies.back();
}

void InSitu(Scene&, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) value.word = LoadU32(value.body.data());
  one.set.format = pdu::ValueFormat::kInsitu;
}
void OtherBlockType(Scene&, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) value.type = MetricType::kU64;
}
void ShortNumber(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    Rewrite(scene, value, [](Buffer& body) { body.resize(4); });
  }
}
void WithoutNul(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    Rewrite(scene, value, [](Buffer& body) { body.pop_back(); });
  }
}
void NulInside(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    Rewrite(scene, value, [](Buffer& body) { body.front() = 0; });
  }
}
void GoesBack(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    value.word = 2'000'000'000U - static_cast<std::uint32_t>(++scene.count);
  }
}
void HasValue(Scene&, EditableSet& one) {
  one.values = {{.instance = kInstanceNull, .word = 1}};
  one.set.status = ErrorCode::kOk;
}

// One record: nrecords @0, time @4, flags @12, nparams @16, parameters @20.
Buffer OneEvent(std::uint32_t flags, std::uint32_t pmid) {
  Buffer body(32);
  SetU32(body, 0, 1);
  SetU32(body, 4, 1'500'000'000);
  SetU32(body, 12, flags);
  SetU32(body, 16, 1);
  SetU32(body, 20, pmid);
  SetU32(body, 24, 0x01000008);
  SetU32(body, 28, 42);
  return body;
}
void UnknownParameter(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    Rewrite(scene, value,
            [&](Buffer& body) { body = OneEvent(1, Pmid::Of(scene.domain, 4095, 1023).value); });
  }
}
void UnknownFlag(Scene& scene, EditableSet& one) {
  for (pdu::InstanceValue& value : one.values) {
    Rewrite(scene, value, [&](Buffer& body) {
      body = OneEvent(0x40, scene.PmidOf(scene.model.metrics.front()).value);
    });
  }
}
bool Own(const Scene& scene, Pmid pmid) { return !pmid.flag() && pmid.domain() == scene.domain; }

bool FetchesUnknownAlone(const Scene& scene, const Request& request) {
  return Asked(request) == 1 && Own(scene, request.As<pdu::Fetch>()->pmids[0]) &&
         scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]) == nullptr;
}

// A value set of the first metric with instances, in a fetch of nothing but that.
void EditInstanced(Scene& scene, const Request& request, Buffer& reply,
                   void (*edit)(EditableSet&)) {
  if (Asked(request) != 1) return;
  const MetricModel* metric = scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]);
  if (metric == nullptr || !metric->indom) return;
  EditSets(reply, [&](Sets& sets) {
    if (!sets[0].values.empty()) edit(sets[0]);
  });
}

// The layout of a RESULT with one block.
void EditBlocks(Scene& scene, const Request& request, Buffer& reply, void (*edit)(Buffer&)) {
  const MetricModel* metric = scene.Find(IsSingular<MetricType::kFloat>);
  if (!Fetches(scene, request, metric) || Asked(request) != 1) return;
  edit(reply);
  FixLength(reply);
}

constexpr std::size_t kOnlyOffset = 24 + 8 + 4 + 4;  // of a RESULT with one value

}  // namespace

std::vector<Fault> ValueFaults() {
  return {
      {.id = "singular-value-of-an-instance",
       .check = "CKA-034"_clause,
       .does = "the value of a singular metric is of instance 0",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (Asked(request) != 1) return;
             const MetricModel* metric = scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]);
             if (metric == nullptr || metric->indom) return;
             EditSets(reply, [](Sets& sets) {
               for (pdu::InstanceValue& value : sets[0].values) value.instance = 0;
             });
           }},
      {.id = "singular-metric-of-two-values",
       .check = "CKA-034"_clause,
       .does = "a singular metric has two values",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (Asked(request) != 1) return;
             const MetricModel* metric = scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]);
             if (metric == nullptr || metric->indom) return;
             EditSets(reply, [](Sets& sets) {
               if (!sets[0].values.empty()) sets[0].values.push_back(sets[0].values[0]);
             });
           }},
      {.id = "result-of-another-metric",
       .check = "CKA-034"_clause,
       .does = "the value set of a fetch of one metric has another PMID",
       .together = {"CKA-060"_clause},
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (Asked(request) != 1 || scene.start == 1) return;
             if (scene.model.FindMetric(request.As<pdu::Fetch>()->pmids[0]) == nullptr) return;
             EditSets(reply, [](Sets& sets) { sets[0].set.pmid.value ^= 1U << 9; });
           }},
      {.id = "result-in-another-order",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics has its value sets in reverse order",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) <= kMany) return;
             EditSets(reply, [](Sets& sets) { std::ranges::reverse(sets); });
           }},
      {.id = "result-with-a-set-less",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics lacks the last value set",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) <= kMany || Asked(request) > kVeryMany) return;
             EditSets(reply, [](Sets& sets) { sets.pop_back(); });
           }},
      {.id = "result-with-a-set-more",
       .check = "CKA-035"_clause,
       .does = "a fetch of many metrics has its first value set once more",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) <= kMany || Asked(request) > kVeryMany) return;
             EditSets(reply, [](Sets& sets) { sets.push_back(sets[0]); });
           }},
      {.id = "float-in-situ",
       .check = "CKA-036"_clause,
       .does = "a FLOAT is in situ",
       .reply = Tell<IsSingular<MetricType::kFloat>, InSitu>},
      {.id = "block-of-another-type",
       .check = "CKA-036"_clause,
       .does = "a value of type 64 is in a block of type U64",
       .reply = Tell<IsSingular<MetricType::k64>, OtherBlockType>},
      {.id = "number-cut-short",
       .check = "CKA-036"_clause,
       .does = "a DOUBLE has 4 bytes",
       .reply = Tell<IsSingular<MetricType::kDouble>, ShortNumber>},
      {.id = "text-without-nul",
       .check = "CKA-036"_clause,
       .does = "a STRING does not end with NUL",
       .reply = Tell<IsSingular<MetricType::kString>, WithoutNul>},
      {.id = "text-with-nul-inside",
       .check = "CKA-036"_clause,
       .does = "a STRING has a NUL inside",
       .reply = Tell<IsSingular<MetricType::kString>, NulInside>},
      {.id = "word-behind-the-blocks",
       .check = "CKA-037"_clause,
       .does = "a word follows the last value block",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             EditBlocks(scene, request, reply, [](Buffer& b) { b.resize(b.size() + 4); });
           }},
      {.id = "gap-before-the-blocks",
       .check = "CKA-037"_clause,
       .does = "a word is between the value sets and the first block",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             EditBlocks(scene, request, reply, [](Buffer& b) {
               b.insert(b.begin() + kOnlyOffset + 4, 4, 0);
               SetU32(b, kOnlyOffset, GetU32(b, kOnlyOffset) + 1);
             });
           }},
      {.id = "block-outside",
       .check = "CKA-037"_clause,
       .does = "the offset of a block is behind the end of the PDU",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             EditBlocks(scene, request, reply, [](Buffer& b) { SetU32(b, kOnlyOffset, 4000); });
           }},
      {.id = "time-in-the-result",
       .check = "CKA-038"_clause,
       .does = "a RESULT carries a time",
       .reply =
           [](Scene&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kResult)) SetU32(reply, 12, 1'600'000'000);
           }},
      {.id = "microseconds-in-the-result",
       .check = "CKA-038"_clause,
       .does = "the word of microseconds of a RESULT is not 0",
       .reply =
           [](Scene&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kResult)) SetU32(reply, 16, 5);
           }},
      {.id = "same-metric-once",
       .check = "CKA-039"_clause,
       .does = "a metric that is fetched several times is answered once",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) < 2 || Asked(request) > kMany) return;
             EditSets(reply, [](Sets& sets) {
               const auto rest = std::ranges::unique(
                   sets, {}, [](const EditableSet& one) { return one.set.pmid; });
               sets.erase(rest.begin(), rest.end());
             });
           }},
      {.id = "unknown-spoils-the-others",
       .check = "CKA-040"_clause,
       .does = "a fetch with an unknown metric has no values at all",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (Asked(request) < 2) return;
             const auto& pmids = request.As<pdu::Fetch>()->pmids;
             if (std::ranges::all_of(pmids, [&](Pmid p) { return scene.model.FindMetric(p); })) {
               return;
             }
             EditSets(reply, [](Sets& sets) {
               for (EditableSet& one : sets) {
                 one.values.clear();
                 one.set.status = ErrorCode::kPmid;
               }
             });
           }},
      {.id = "unknown-is-an-error",
       .check = "CKA-041"_clause,
       .does = "a fetch of an unknown metric is answered with an ERROR",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (FetchesUnknownAlone(scene, request)) reply = ErrorReply(ErrorCode::kPmid);
           }},
      {.id = "unknown-has-a-value",
       .check = "CKA-041"_clause,
       .does = "an unknown metric has a value",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             if (!FetchesUnknownAlone(scene, request)) return;
             EditSets(reply, [&](Sets& sets) { HasValue(scene, sets[0]); });
           }},
      {.id = "unsupported-has-a-value",
       .check = "CKA-042"_clause,
       .does = "a metric of type NOSUPPORT has a value",
       .reply = Tell<IsUnsupported, HasValue>},
      {.id = "instance-twice",
       .check = "CKA-043"_clause,
       .does = "a value set has an instance twice",
       .together = {"CKA-061"_clause, "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause,
                    "CKA-067"_clause},
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             EditInstanced(scene, request, reply,
                           [](EditableSet& one) { one.values.push_back(one.values[0]); });
           }},
      {.id = "instance-nobody-knows",
       .check = "CKA-043"_clause,
       .does = "a value set has an instance that its domain does not have",
       .together = {"CKA-061"_clause, "CKA-063"_clause, "CKA-064"_clause, "CKA-065"_clause,
                    "CKA-066"_clause, "CKA-067"_clause},
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             EditInstanced(scene, request, reply, [](EditableSet& one) {
               one.values.push_back(one.values[0]);
               one.values.back().instance = 1'999'999'999;
             });
           }},
      {.id = "name-differs-by-number",
       .check = "CKA-044"_clause,
       .does = "an instance asked for by number has another name than in the list",
       .together = {"CKA-081"_clause},
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::InstanceReq>();
             if (asked == nullptr || asked->instance == kInstanceNull) return;
             EditInstances(reply, [](auto& entries) { entries[0].name = "another"; });
           }},
      {.id = "counter-goes-back",
       .check = "CKA-045"_clause,
       .does = "a counter decreases",
       .reply = Tell<IsCounter, GoesBack>},
      {.id = "large-fetch-is-refused",
       .check = "CKA-046"_clause,
       .does = "a fetch of more than 1000 metrics is answered with an ERROR",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) > kVeryMany) reply = ErrorReply(pdu::kErrTooBig);
           }},
      {.id = "large-fetch-is-cut",
       .check = "CKA-046"_clause,
       .does = "of a fetch of more than 1000 metrics the first 1000 are answered",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) > kVeryMany) {
               EditSets(reply, [](Sets& sets) { sets.resize(kVeryMany); });
             }
           }},
      {.id = "minds-unused-bytes",
       .check = "CKA-047"_clause,
       .does = "a FETCH whose unused bytes are not 0 is answered with an ERROR",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) == 0) return;
             if (LoadU32(request.bytes.data() + 16) != 0) reply = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "minds-the-client",
       .check = "CKA-048"_clause,
       .does = "a FETCH of a client that it does not know is answered with an ERROR",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) != 0 && request.from > 5) {
               reply = ErrorReply(pdu::kErrNotConnected);
             }
           }},
      {.id = "minds-the-context",
       .check = "CKA-048"_clause,
       .does = "a FETCH of context -1 is answered with an ERROR",
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) != 0 && request.As<pdu::Fetch>()->context < 0) {
               reply = ErrorReply(pdu::kErrNoProfile);
             }
           }},
      {.id = "event-parameter-nobody-knows",
       .check = "CKA-049"_clause,
       .does = "an event has a parameter without a descriptor",
       .reply = Tell<IsSingular<MetricType::kEvent>, UnknownParameter>},
      {.id = "event-with-an-unknown-flag",
       .check = "CKA-049"_clause,
       .does = "an event has the flag 0x40",
       .reply = Tell<IsSingular<MetricType::kEvent>, UnknownFlag>},
      {.id = "fewer-events-than-it-says",
       .check = "CKA-049"_clause,
       .does = "an event array ends before its last record",
       .reply =
           [](Scene& scene, const Request& request, Buffer& reply) {
             const auto* fetch = request.As<pdu::Fetch>();
             if (fetch == nullptr) return;
             const MetricModel* metric = scene.model.FindMetric(fetch->pmids[0]);
             if (metric == nullptr || !IsEvent(metric->type) || metric->indom) return;
             // The first value has the first block: nrecords stands behind its header.
             const std::size_t block = std::size_t{4} * GetU32(reply, kOnlyOffset);
             if (Is(reply, PduType::kResult) && block + 8 <= reply.size())
               SetU32(reply, block + 4, 999);
           }},
      {.id = "answers-for-other-domains",
       .check = "CKA-050"_clause,
       .does = "the domain of a PMID is not looked at",
       .request =
           [](Scene& scene, const Request& request, Buffer& handed) {
             if (Asked(request) != 1 || Own(scene, request.As<pdu::Fetch>()->pmids[0])) return;
             const Pmid pmid = request.As<pdu::Fetch>()->pmids[0];
             SetU32(handed, 28, Pmid::Of(scene.domain, pmid.cluster(), pmid.item()).value);
           },
       .reply =
           [](Scene&, const Request& request, Buffer& reply) {
             if (Asked(request) != 1 || !Is(reply, PduType::kResult)) return;
             SetU32(reply, 24, request.As<pdu::Fetch>()->pmids[0].value);
           }},
  };
}

}  // namespace pmproof::generators
