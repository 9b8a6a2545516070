// SPDX-License-Identifier: Apache-2.0
// 16.4, instance domains.

#include <algorithm>
#include <string>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using Entries = std::vector<pdu::InstanceEntry>;

enum class Form : std::uint8_t { kNone, kAll, kByNumber, kByName, kBoth };

Form FormOf(const Request& request) {
  const auto* asked = request.As<pdu::InstanceReq>();
  if (asked == nullptr) return Form::kNone;
  const bool by_number = asked->instance != kInstanceNull;
  const bool by_name = !asked->name.empty();
  if (by_number && by_name) return Form::kBoth;
  return by_number ? Form::kByNumber : by_name ? Form::kByName : Form::kAll;
}

bool IsOwn(const FaultContext& context, const Request& request) {
  const Indom indom = request.As<pdu::InstanceReq>()->indom;
  return !indom.flag() && indom.domain() == context.domain;
}
bool IsKnown(const FaultContext& context, const Request& request) {
  return IsOwn(context, request) &&
         context.model.FindIndom(request.As<pdu::InstanceReq>()->indom.serial()) != nullptr;
}

// Edits lists that are not empty.
template <Form kForm, void (*kEdit)(Entries&)>
void List(FaultContext&, const Request& request, Buffer& reply) {
  if (FormOf(request) != kForm) return;
  EditInstances(reply, [](Entries& entries) {
    if (!entries.empty()) kEdit(entries);
  });
}

void OneTwice(Entries& entries) { entries.push_back(entries[0]); }
void OneNegative(Entries& entries) { entries.push_back({-7, "below zero"}); }
void OneWithNul(Entries& entries) {
  entries.push_back({1'888'888'888, std::string_view("with\0nul", 8)});
}
void SameFirstWord(Entries& entries) {
  static constexpr std::string_view kTwo[] = {"twin one", "twin two"};
  entries.push_back({1'888'888'888, kTwo[0]});
  entries.push_back({1'888'888'889, kTwo[1]});
}
void Renumber(Entries& entries) { entries[0].instance += 1'000'000; }

template <Form kForm, ErrorCode kCode>
void RefuseAs(FaultContext& context, const Request& request, Buffer& reply) {
  if (FormOf(request) == kForm && IsKnown(context, request) && Is(reply, pdu::PduType::kError)) {
    reply = ErrorReply(kCode);
  }
}

}  // namespace

std::vector<Fault> InstanceFaults() {
  return {
      {.id = "instance-listed-twice",
       .check = "CKA-080"_clause,
       .does = "the list of instances has one of them twice",
       .reply = List<Form::kAll, OneTwice>},
      {.id = "instance-below-zero",
       .check = "CKA-080"_clause,
       .does = "the list of instances has a negative number",
       .together = {"CKA-092"_clause},
       .reply = List<Form::kAll, OneNegative>},
      {.id = "instance-with-nul",
       .check = "CKA-080"_clause,
       .does = "the list of instances has a name with NUL",
       .together = {"CKA-092"_clause},
       .reply = List<Form::kAll, OneWithNul>},
      {.id = "instances-with-one-first-word",
       .check = "CKA-080"_clause,
       .does = "the names of two instances begin with the same word",
       .together = {"CKA-092"_clause},
       .reply = List<Form::kAll, SameFirstWord>},
      {.id = "two-by-number",
       .check = "CKA-081"_clause,
       .does = "an instance asked for by number is answered twice",
       .together = {"CKA-044"_clause},
       .reply = List<Form::kByNumber, OneTwice>},
      {.id = "wrong-number-by-name",
       .check = "CKA-082"_clause,
       .does = "the answer by name has another number",
       .together = {"CKA-083"_clause},
       .reply = List<Form::kByName, Renumber>},
      {.id = "first-word-is-not-enough",
       .check = "CKA-083"_clause,
       .does = "an instance is not found by the first word of its name",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (FormOf(request) != Form::kByName || !IsKnown(context, request)) return;
             const auto* asked = request.As<pdu::InstanceReq>();
             const IndomModel* indom = context.model.FindIndom(asked->indom.serial());
             if (std::ranges::find(indom->instances, asked->name, &InstanceModel::name) ==
                 indom->instances.end()) {
               reply = ErrorReply(ErrorCode::kInstance);
             }
           }},
      {.id = "unknown-number-is-an-indom-error",
       .check = "CKA-084"_clause,
       .does = "an unknown number is answered with PM_ERR_INDOM",
       .reply = RefuseAs<Form::kByNumber, ErrorCode::kIndom>},
      {.id = "unknown-name-is-an-empty-list",
       .check = "CKA-084"_clause,
       .does = "an unknown name is answered with an empty list",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (FormOf(request) == Form::kByName && IsKnown(context, request) &&
                 Is(reply, pdu::PduType::kError) &&
                 request.As<pdu::InstanceReq>()->name.find('\0') == std::string_view::npos) {
               reply = Encoded(pdu::Instance{request.As<pdu::InstanceReq>()->indom, {}});
             }
           }},
      {.id = "number-and-name-are-taken",
       .check = "CKA-084"_clause,
       .does = "a request with number and name is answered with a list",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (FormOf(request) != Form::kBoth) return;
             reply = Encoded(pdu::Instance{request.As<pdu::InstanceReq>()->indom, {}});
           }},
      {.id = "unknown-indom-is-an-instance-error",
       .check = "CKA-085"_clause,
       .does = "an unknown instance domain is answered with PM_ERR_INST",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (FormOf(request) != Form::kNone && IsOwn(context, request) &&
                 !IsKnown(context, request)) {
               reply = ErrorReply(ErrorCode::kInstance);
             }
           }},
      {.id = "new-number-for-an-old-name",
       .check = "CKA-086"_clause,
       .does = "an instance that comes back has another number",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             // It comes only where an instance domain is watched for long.
             if (FormOf(request) != Form::kAll || !IsKnown(context, request)) return;
             const Indom indom = request.As<pdu::InstanceReq>()->indom;
             if (indom.serial() != context.model.indoms.front().serial) return;
             const std::int64_t turn = ++context.count;
             if (turn < 8 || turn > 14 || turn % 2 != 0) return;
             EditInstances(reply, [&](Entries& entries) {
               entries.push_back({static_cast<std::int32_t>(1'000'000 + turn), "guest"});
             });
           }},
      {.id = "unknown-indom-is-empty",
       .check = "CKA-085"_clause,
       .does = "an unknown instance domain is answered with an empty list",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (FormOf(request) != Form::kNone && IsOwn(context, request) &&
                 !IsKnown(context, request)) {
               reply = Encoded(pdu::Instance{request.As<pdu::InstanceReq>()->indom, {}});
             }
           }},
  };
}

}  // namespace pmproof::generators
