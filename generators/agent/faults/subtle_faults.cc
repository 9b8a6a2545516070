// SPDX-License-Identifier: Apache-2.0
// Answers that decode, and are wrong in what they say.

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <thread>

#include "generators/agent/faults/faults.h"
#include "generators/agent/faults/fetches.h"
#include "reference/pmda/pdu/error_codes.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;
using Names = AgentWish::Names;

constexpr int kMany = 150;  // requests of a session: only few checks come so far

void SwapWords(Buffer& body) {
  if (body.size() == 8) std::rotate(body.begin(), body.begin() + 4, body.end());
}
void Swapped(FaultContext& context, EditableSet& one) { Rewrite(context, one, SwapWords); }

// Another value at each fetch.
void Counts(FaultContext& context, EditableSet& one) {
  Rewrite(context, one, [&context](Buffer& body) {
    if (body.size() > 1) body.front() = static_cast<std::uint8_t>('a' + ++context.count % 26);
  });
}

std::vector<Fault> ValueFaultsOfMeaning() {
  return {
      {.id = "double-with-swapped-words",
       .check = "CKA-053"_clause,
       .does = "the two words of a DOUBLE are exchanged",
       .reply = Tell<IsSingular<MetricType::kDouble>, Swapped>},
      {.id = "clients-beyond-1000-are-not-answered",
       .check = "CKA-054"_clause,
       .does = "requests of clients with numbers above 1000 are not answered",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             constexpr int kMostClients = 1000;
             if (request.from > kMostClients) reply.clear();
           }},
      {.id = "discrete-value-changes-always",
       .check = "CKA-055"_clause,
       .does = "the value of a discrete metric changes with every fetch",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             const MetricModel* metric = context.Find(IsSingular<MetricType::kString>);
             if (metric == nullptr) return;
             const auto* asked = request.As<pdu::DescReq>();
             if (asked != nullptr && asked->pmid == context.PmidOf(*metric)) {
               EditDescriptor(reply, [](Descriptor& descriptor) {
                 descriptor.semantics = Semantics::kDiscrete;
               });
             }
             Tell<IsSingular<MetricType::kString>, Counts>(context, request, reply);
           }},
  };
}

std::vector<Fault> NameFaultsOfMeaning() {
  return {
      {.id = "name-with-nul",
       .check = "CKA-104"_clause,
       .does = "the names of a PMID include one with a NUL",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.type != PduType::kPmnsIds || !Is(reply, PduType::kPmnsNames)) return;
             EditNames(reply, [](auto& names) {
               names.push_back({.name = std::string_view("a.name\0junk", 11)});
             });
           }},
      {.id = "name-is-read-to-its-nul",
       .check = "CKA-105"_clause,
       .does = "of a name that is asked for it looks at what is before a NUL",
       .dynamic = Names::kSome,
       .request =
           [](FaultContext&, const Request& request, Buffer& handed) {
             const auto* asked = request.As<pdu::PmnsNames>();
             if (asked == nullptr || asked->names.size() != 1) return;
             const std::string_view name = asked->names[0].name;
             if (name.find('\0') == std::string_view::npos) return;
             const pdu::PmnsName cut{.name = name.substr(0, name.find('\0'))};
             handed = Encoded(pdu::PmnsNames{.names = std::span(&cut, 1)});
           }},
      {.id = "repeats-another-number",
       .check = "CKA-106"_clause,
       .does = "the answer about an instance asked for by number has another number",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::InstanceReq>();
             if (asked == nullptr || asked->instance == kInstanceNull) return;
             EditInstances(reply, [&](auto& entries) {
               if (!entries.empty()) entries[0].instance = asked->instance + 1;
             });
           }},
      {.id = "repeats-another-name",
       .check = "CKA-106"_clause,
       .does = "the answer about an instance asked for by name has another name",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::InstanceReq>();
             if (asked == nullptr || asked->name.empty()) return;
             EditInstances(reply, [](auto& entries) {
               if (!entries.empty()) entries[0].name = "another";
             });
           }},
      {.id = "instances-of-another-domain",
       .check = "CKA-106"_clause,
       .does = "an INSTANCE is of another domain than was asked for",
       .together = {"CKA-018"_clause},
       .no_features = true,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.As<pdu::InstanceReq>() != nullptr && Is(reply, PduType::kInstance)) {
               SetU32(reply, 12, GetU32(reply, 12) ^ 1);
             }
           }},
  };
}

std::vector<Fault> EnduranceFaultsOfMeaning() {
  return {
      {.id = "refuses-fetches-in-the-end",
       .check = "CKA-157"_clause,
       .does = "after 150 requests of a session each FETCH is answered with an ERROR",
       .alone = true,
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (context.requests > kMany && request.As<pdu::Fetch>() != nullptr) {
               reply = ErrorReply(pdu::kErrIpc);
             }
           }},
      {.id = "answers-come-from-the-client",
       .check = "CKA-169"_clause,
       .does = "the field from of an answer is that of its request",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             constexpr std::size_t kFrom = 8;
             if (reply.size() >= pdu::kHeaderSize) {
               SetU32(reply, kFrom, static_cast<std::uint32_t>(request.from));
             }
           }},
      {.id = "answers-come-from-the-process",
       .check = "CKA-169"_clause,
       .does = "the field from of an answer is the number of the process, as in CREDS",
       .reply =
           [](FaultContext&, const Request&, Buffer& reply) {
             constexpr std::size_t kFrom = 8;
             if (reply.size() >= pdu::kHeaderSize) SetU32(reply, kFrom, 4711);
           }},
      {.id = "slow-now-and-then",
       .check = "CKA-168"_clause,
       .does = "each twentieth request of a long session takes 40 ms",
       .alone = true,
       .needs_process = true,
       .request =
           [](FaultContext& context, const Request&, Buffer&) {
             constexpr int kEach = 20;
             if (context.requests > kEach && context.requests % kEach == 0) {
               std::this_thread::sleep_for(std::chrono::milliseconds(40));
             }
           }},
  };
}

}  // namespace

std::vector<Fault> SubtleFaults() {
  std::vector<Fault> all;
  for (auto* list : {ValueFaultsOfMeaning, NameFaultsOfMeaning, EnduranceFaultsOfMeaning}) {
    std::ranges::move(list(), std::back_inserter(all));
  }
  return all;
}

}  // namespace pmproof::generators
