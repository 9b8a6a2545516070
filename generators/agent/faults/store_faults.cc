// SPDX-License-Identifier: Apache-2.0
// 16.5 Stores.

#include <algorithm>
#include <csignal>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;

// A store that is well-formed.
const pdu::Result* StoreOf(const Request& request) { return request.As<pdu::Result>(); }

const MetricModel* Stored(const FaultContext& context, const pdu::ValueSet& set) {
  return !set.pmid.flag() && set.pmid.domain() == context.domain
             ? context.model.FindMetric(set.pmid)
             : nullptr;
}

bool StoresInto(const FaultContext& context, const Request& request,
                bool (*fits)(const MetricModel*)) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && std::ranges::any_of(store->sets, [&](const pdu::ValueSet& set) {
           return !set.values.empty() && fits(Stored(context, set));
         });
}

// A store of one metric alone (CKA-117 stores two).
bool StoresOne(const Request& request) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && store->sets.size() == 1;
}

bool IsUnknown(const MetricModel* metric) { return metric == nullptr; }
// Of those that are supported: a store into others is what CKA-112 makes.
bool IsReadOnly(const MetricModel* metric) {
  return metric != nullptr && !metric->writable && metric->type != MetricType::kNoSupport;
}
bool IsWritableNumber(const MetricModel* metric) {
  return metric != nullptr && metric->writable && IsNumeric(metric->type) && !metric->indom;
}

bool IsWritableWord(const MetricModel* metric) {
  return IsWritableNumber(metric) &&
         (metric->type == MetricType::k32 || metric->type == MetricType::kU32);
}
bool IsWritableDouble(const MetricModel* metric) {
  return IsWritableNumber(metric) && metric->type == MetricType::kDouble;
}

// A value that is not of its metric's type.
bool HasWrongType(const FaultContext& context, const Request& request) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && std::ranges::any_of(store->sets, [&](const pdu::ValueSet& set) {
           const MetricModel* metric = Stored(context, set);
           return metric != nullptr && metric->writable &&
                  std::ranges::any_of(set.values, [&](const pdu::InstanceValue& value) {
                    return !pdu::ValueOf(value, set.format, metric->type).has_value();
                  });
         });
}

// Values in the form in which their metrics have them, of instances that are there.
bool StoresAsFetched(const FaultContext& context, const Request& request) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && std::ranges::all_of(store->sets, [&](const pdu::ValueSet& set) {
           const MetricModel* metric = Stored(context, set);
           if (metric == nullptr) return false;
           const bool word = metric->type == MetricType::k32 || metric->type == MetricType::kU32;
           const IndomModel* indom =
               metric->indom ? context.model.FindIndom(*metric->indom) : nullptr;
           return std::ranges::all_of(set.values, [&](const pdu::InstanceValue& value) {
             const bool there = indom == nullptr ||
                                std::ranges::find(indom->instances, value.instance,
                                                  &InstanceModel::number) != indom->instances.end();
             const bool ended = metric->type != MetricType::kString ||
                                (!value.body.empty() && value.body.back() == 0);
             return there && (set.format == pdu::ValueFormat::kInsitu) == word &&
                    (word || (value.type == metric->type && ended));
           });
         });
}

bool HasUnknownInstance(const FaultContext& context, const Request& request) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && std::ranges::any_of(store->sets, [&](const pdu::ValueSet& set) {
           const MetricModel* metric = Stored(context, set);
           const IndomModel* indom = metric != nullptr && metric->writable && metric->indom
                                         ? context.model.FindIndom(*metric->indom)
                                         : nullptr;
           return indom != nullptr &&
                  std::ranges::any_of(set.values, [&](const pdu::InstanceValue& value) {
                    return std::ranges::find(indom->instances, value.instance,
                                             &InstanceModel::number) == indom->instances.end();
                  });
         });
}

bool HasEmptyText(const pdu::ValueSet& set) {
  return set.format != pdu::ValueFormat::kInsitu &&
         std::ranges::any_of(set.values, [](const pdu::InstanceValue& value) {
           return value.type == MetricType::kString && value.body.empty();
         });
}

bool IsEmpty(const Request& request) {
  const pdu::Result* store = StoreOf(request);
  return store != nullptr && store->sets.empty();
}

void Twice(Buffer& reply) {
  const Buffer once = reply;
  Append(reply, once);
}

}  // namespace

std::vector<Fault> StoreFaults() {
  return {
      {.id = "read-only-is-answered-twice",
       .check = "CKA-110"_clause,
       .does = "a store to a read-only metric is answered with two ERRORs",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (StoresInto(context, request, IsReadOnly)) Twice(reply);
           }},
      {.id = "read-only-store-succeeds",
       .check = "CKA-111"_clause,
       .does = "a store to a read-only metric is answered with ERROR 0",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (StoresOne(request) && StoresInto(context, request, IsReadOnly) &&
                 StoresAsFetched(context, request)) {
               reply = ErrorReply(ErrorCode::kOk);
             }
           }},
      {.id = "store-without-effect",
       .check = "CKA-111"_clause,
       .does = "a store is answered with ERROR 0, and the metric keeps its value",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (StoresOne(request) && StoresInto(context, request, IsWritableNumber) &&
                 StoresAsFetched(context, request)) {
               handed = Encoded(pdu::Result{});
             }
           }},
      {.id = "stores-another-number",
       .check = "CKA-111"_clause,
       .does = "of a number that is stored it drops the lowest bits",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (!StoresOne(request) || HasWrongType(context, request) ||
                 !StoresInto(context, request, IsWritableWord)) {
               return;
             }
             EditSets(handed, [](auto& sets) {
               for (auto& value : sets[0].values) value.word &= ~std::uint32_t{7};
             });
           }},
      {.id = "stores-doubles-with-swapped-words",
       .check = "CKA-111"_clause,
       .does = "of a DOUBLE that is stored it exchanges the two words",
       .request =
           [](FaultContext& context, const Request& request, Buffer& handed) {
             if (!StoresOne(request) || HasWrongType(context, request) ||
                 !StoresInto(context, request, IsWritableDouble)) {
               return;
             }
             // The block is the last of the PDU.
             if (handed.size() > 8) std::rotate(handed.end() - 8, handed.end() - 4, handed.end());
           }},
      {.id = "store-to-unknown-succeeds",
       .check = "CKA-112"_clause,
       .does = "a store to an unknown metric is answered with ERROR 0",
       .together = {"CKA-166"_clause},
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (StoresInto(context, request, IsUnknown)) reply = ErrorReply(ErrorCode::kOk);
           }},
      {.id = "wrong-type-kills",
       .check = "CKA-113"_clause,
       .does = "it crashes on a store of another type than the metric's",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (HasWrongType(context, request)) context.Die(SIGSEGV);
           }},
      {.id = "wrong-type-is-answered-twice",
       .check = "CKA-113"_clause,
       .does = "a store of another type than the metric's is answered with two ERRORs",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (HasWrongType(context, request)) Twice(reply);
           }},
      {.id = "wrong-type-is-taken",
       .check = "CKA-113"_clause,
       .does = "a store of another type than the metric's is answered with ERROR 0",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (HasWrongType(context, request)) reply = ErrorReply(ErrorCode::kOk);
           }},
      {.id = "unknown-instance-is-taken",
       .check = "CKA-114"_clause,
       .does = "a store to an unknown instance is answered with ERROR 0",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (HasUnknownInstance(context, request)) reply = ErrorReply(ErrorCode::kOk);
           }},
      {.id = "unknown-instance-kills",
       .check = "CKA-114"_clause,
       .does = "it crashes on a store to an unknown instance",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (HasUnknownInstance(context, request)) context.Die(SIGSEGV);
           }},
      {.id = "empty-store-is-not-answered",
       .check = "CKA-115"_clause,
       .does = "a store of no metric is not answered",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (IsEmpty(request)) reply.clear();
           }},
      {.id = "minds-the-time-of-a-store",
       .check = "CKA-116"_clause,
       .does = "a store with a time is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const pdu::Result* store = StoreOf(request);
             if (store != nullptr && (store->seconds != 0 || store->microseconds != 0)) {
               reply = ErrorReply(ErrorCode::kConversion);
             }
           }},
      {.id = "store-of-two-is-answered-twice",
       .check = "CKA-117"_clause,
       .does = "a store of two metrics is answered with two ERRORs",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const pdu::Result* store = StoreOf(request);
             if (store != nullptr && store->sets.size() == 2) Twice(reply);
           }},
      {.id = "empty-text-kills",
       .check = "CKA-118"_clause,
       .does = "it crashes on a store of a STRING without bytes",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             const pdu::Result* store = StoreOf(request);
             if (store != nullptr && std::ranges::any_of(store->sets, HasEmptyText)) {
               context.Die(SIGSEGV);
             }
           }},
      {.id = "large-store-kills",
       .check = "CKA-118"_clause,
       .does = "it crashes on a store of more than a million bytes",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if (request.type == PduType::kResult && request.bytes.size() > 1'000'000) {
               context.Die(SIGSEGV);
             }
           }},
  };
}

}  // namespace pmproof::generators
