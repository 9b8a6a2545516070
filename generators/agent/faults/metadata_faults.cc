// SPDX-License-Identifier: Apache-2.0
// 16.4, help texts, labels, names, attributes.

#include <algorithm>
#include <csignal>
#include <string>

#include "generators/agent/faults/edit_pdu.h"
#include "generators/agent/faults/faults.h"

namespace pmproof::generators {
namespace {

using pdu::Buffer;
using pdu::PduType;
using Names = AgentWish::Names;
using LabelSets = std::vector<EditableLabels>;

constexpr std::uint32_t kMetricOneLine = 5;

bool AsksOneLine(const Request& request) {
  const auto* asked = request.As<pdu::TextReq>();
  return asked != nullptr && asked->type == kMetricOneLine;
}

bool IsOwnUnknown(const FaultContext& context, Pmid pmid) {
  return !pmid.flag() && pmid.domain() == context.domain &&
         context.model.FindMetric(pmid) == nullptr;
}
bool IsOwnUnknown(const FaultContext& context, Indom indom) {
  return !indom.flag() && indom.domain() == context.domain &&
         context.model.FindIndom(indom.serial()) == nullptr;
}

void SayText(const Request& request, Buffer& reply, std::string_view text) {
  if (AsksOneLine(request) && Is(reply, PduType::kText)) {
    reply = Encoded(pdu::Text{request.As<pdu::TextReq>()->identifier, text});
  }
}

bool AsksLabels(const Request& request, LabelClass label_class) {
  const auto* asked = request.As<pdu::LabelReq>();
  return asked != nullptr && asked->type == static_cast<std::uint32_t>(label_class);
}

// The first label set of the domain; where there is none, there is one label.
void EditDomainLabels(const Request& request, Buffer& reply, void (*edit)(EditableLabels&)) {
  if (!AsksLabels(request, LabelClass::kDomain)) return;
  EditLabels(reply, [&](LabelSets& sets) {
    if (!sets.empty()) edit(sets[0]);
  });
}

// {"b":1,"a":2}
void Unsorted(EditableLabels& one) {
  one.set.json = R"({"b":1,"a":2})";
  one.labels = {
      {.name_offset = 2, .name_length = 1, .flags = 2, .value_offset = 5, .value_length = 1},
      {.name_offset = 8, .name_length = 1, .flags = 2, .value_offset = 11, .value_length = 1}};
}
void OneLabel(EditableLabels& one, std::string_view json, std::uint8_t name_length,
              std::uint8_t flags) {
  one.set.json = json;
  one.labels = {{.name_offset = 2,
                 .name_length = name_length,
                 .flags = flags,
                 .value_offset = static_cast<std::uint16_t>(2 + name_length + 2),
                 .value_length = 1}};
}

// Status, number of names, PMID of the only name.
Buffer OneName(std::string_view name) {
  const pdu::PmnsName one{.name = name};
  return Encoded(pdu::PmnsNames{.names = std::span(&one, 1)});
}

bool IsNames(const Request& request) {
  return request.type == PduType::kPmnsNames || request.type == PduType::kPmnsIds ||
         request.type == PduType::kPmnsChild || request.type == PduType::kPmnsTraverse;
}

std::vector<Fault> HelpFaults() {
  return {
      {.id = "one-line-of-two",
       .check = "CKA-087"_clause,
       .does = "a one-line text has a newline",
       .reply = [](FaultContext&, const Request& r, Buffer& b) { SayText(r, b, "one\ntwo"); }},
      {.id = "long-one-line",
       .check = "CKA-087"_clause,
       .does = "a one-line text has 90 bytes",
       .reply = [](FaultContext&, const Request& request,
                   Buffer& reply) { SayText(request, reply, std::string(90, 'x')); }},
      {.id = "empty-help",
       .check = "CKA-087"_clause,
       .does = "a help text is empty",
       .reply = [](FaultContext&, const Request& r, Buffer& b) { SayText(r, b, ""); }},
      {.id = "no-help-is-a-pmid-error",
       .check = "CKA-087"_clause,
       .does = "a metric without help is answered with PM_ERR_PMID",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (AsksOneLine(request) && Is(reply, PduType::kText)) {
               reply = ErrorReply(ErrorCode::kPmid);
             }
           }},
      {.id = "unpadded-help",
       .check = "CKA-088"_clause,
       .does = "a TEXT ends with its last character",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (!AsksOneLine(request) || !Is(reply, PduType::kText)) return;
             SayText(request, reply, "seven b");
             reply.resize(20 + 7);
             FixLength(reply);
           }},
      {.id = "help-of-another",
       .check = "CKA-089"_clause,
       .does = "the identifier of a TEXT is in another byte order",
       .reply =
           [](FaultContext&, const Request&, Buffer& reply) {
             if (Is(reply, PduType::kText)) std::reverse(reply.begin() + 12, reply.begin() + 16);
           }},
      {.id = "help-of-unknown-is-a-pmid-error",
       .check = "CKA-090"_clause,
       .does = "the help of an unknown metric is answered with PM_ERR_PMID",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (AsksOneLine(request) &&
                 IsOwnUnknown(context, Pmid{request.As<pdu::TextReq>()->identifier})) {
               reply = ErrorReply(ErrorCode::kPmid);
             }
           }},
      {.id = "help-of-nothing",
       .check = "CKA-090"_clause,
       .does = "a TEXT_REQ of neither metric nor instance domain is answered with a text",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::TextReq>();
             if (asked != nullptr && (asked->type & 12) == 0) {
               reply = Encoded(pdu::Text{asked->identifier, "nothing"});
             }
           }},
  };
}

std::vector<Fault> LabelFaults() {
  return {
      {.id = "labels-out-of-order",
       .check = "CKA-091"_clause,
       .does = "the labels of its domain are not sorted",
       .reply = [](FaultContext&, const Request& r,
                   Buffer& b) { EditDomainLabels(r, b, Unsorted); }},
      {.id = "labels-of-another-class",
       .check = "CKA-091"_clause,
       .does = "the flags of a label of its domain have the class of metrics",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             EditDomainLabels(request, reply,
                              [](EditableLabels& one) { OneLabel(one, R"({"a":1})", 1, 16); });
           }},
      {.id = "label-with-a-bad-name",
       .check = "CKA-091"_clause,
       .does = "the name of a label has a blank",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             EditDomainLabels(request, reply,
                              [](EditableLabels& one) { OneLabel(one, R"({"a b":1})", 3, 2); });
           }},
      {.id = "labels-are-no-json",
       .check = "CKA-091"_clause,
       .does = "the text of the labels of its domain is not a JSON object",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             EditDomainLabels(request, reply,
                              [](EditableLabels& one) { OneLabel(one, R"({"a":1,)", 1, 2); });
           }},
      {.id = "label-outside-its-text",
       .check = "CKA-091"_clause,
       .does = "the value of a label is after the end of its text",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (!AsksLabels(request, LabelClass::kDomain) || reply.size() < 60) return;
             // inst, nlabels, json, jsonlen; then name offset, length, flags, value offset, length
             SetU32(reply, 28 + 16 + 4, 60000U << 16 | 1);
           }},
      {.id = "instance-without-labels",
       .check = "CKA-092"_clause,
       .does = "the labels of instances lack the last instance",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (!AsksLabels(request, LabelClass::kInstances)) return;
             EditLabels(reply, [](LabelSets& sets) {
               if (!sets.empty()) sets.pop_back();
             });
           }},
      {.id = "instance-with-labels-twice",
       .check = "CKA-092"_clause,
       .does = "the labels of instances have the first instance twice",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (!AsksLabels(request, LabelClass::kInstances)) return;
             EditLabels(reply, [](LabelSets& sets) {
               if (!sets.empty()) sets.push_back(sets[0]);
             });
           }},
      {.id = "labels-of-no-class",
       .check = "CKA-093"_clause,
       .does = "a LABEL_REQ of type 64 or 0 is answered with PM_ERR_GENERIC",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::LabelReq>();
             if (asked != nullptr && (asked->type == 64 || asked->type == 0)) {
               reply = ErrorReply(ErrorCode::kGeneric);
             }
           }},
      {.id = "labels-of-unknown-indom-kill",
       .check = "CKA-094"_clause,
       .does = "it crashes when it is asked for the labels of an unknown instance domain",
       .together = {"CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             if ((AsksLabels(request, LabelClass::kIndom) ||
                  AsksLabels(request, LabelClass::kInstances)) &&
                 IsOwnUnknown(context, Indom{request.As<pdu::LabelReq>()->identifier})) {
               context.Die(SIGSEGV);
             }
           }},
      {.id = "unknown-metric-has-labels",
       .check = "CKA-094"_clause,
       .does = "an unknown metric has labels",
       .reply =
           [](FaultContext& context, const Request& request, Buffer& reply) {
             if (!AsksLabels(request, LabelClass::kItem) ||
                 !IsOwnUnknown(context, Pmid{request.As<pdu::LabelReq>()->identifier})) {
               return;
             }
             EditableLabels one;
             OneLabel(one, R"({"a":1})", 1, 16);
             one.set.labels = one.labels;
             const auto* asked = request.As<pdu::LabelReq>();
             reply = Encoded(pdu::Label{asked->identifier, asked->type, std::span(&one.set, 1)});
           }},
  };
}

std::vector<Fault> NameFaults() {
  return {
      {.id = "names-of-a-metric-differ",
       .check = "CKA-095"_clause,
       .does = "the names of a PMID are not those whose PMID it is",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.type == PduType::kPmnsIds && Is(reply, PduType::kPmnsNames)) {
               reply = OneName("quite.another.name");
             }
           }},
      {.id = "unknown-name-is-a-pmid-error",
       .check = "CKA-096"_clause,
       .does = "an unknown name is answered with PM_ERR_PMID",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.As<pdu::PmnsNames>() != nullptr && Is(reply, PduType::kError) &&
                 GetU32(reply, 12) == static_cast<std::uint32_t>(ErrorCode::kName)) {
               reply = ErrorReply(ErrorCode::kPmid);
             }
           }},
      {.id = "names-of-unknown-is-a-name-error",
       .check = "CKA-097"_clause,
       .does = "the names of an unknown PMID are answered with PM_ERR_NAME",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (request.As<pdu::PmnsIds>() != nullptr && Is(reply, PduType::kError) &&
                 GetU32(reply, 12) == static_cast<std::uint32_t>(ErrorCode::kPmid)) {
               reply = ErrorReply(ErrorCode::kName);
             }
           }},
      {.id = "child-without-status",
       .check = "CKA-098"_clause,
       .does = "children have no status words although they were asked for",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::PmnsChild>();
             if (asked == nullptr || asked->subtype != 1) return;
             pdu::Decoder decoder;
             const auto decoded = decoder.Decode(reply);
             const auto* names = decoded ? std::get_if<pdu::PmnsNames>(&decoded->body) : nullptr;
             if (names == nullptr) return;
             std::vector<pdu::PmnsName> plain;
             for (const pdu::PmnsName& name : names->names) plain.push_back({name.name});
             reply = Encoded(pdu::PmnsNames{false, plain});
           }},
      {.id = "child-missing",
       .check = "CKA-098"_clause,
       .does = "the last child of a name is missing",
       .dynamic = Names::kSome,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* asked = request.As<pdu::PmnsChild>();
             if (asked == nullptr || asked->subtype != 0) return;
             EditNames(reply, [](auto& names) {
               if (!names.empty()) names.pop_back();
             });
           }},
      {.id = "no-names-is-an-ipc-error",
       .check = "CKA-099"_clause,
       .does = "it has no names, and answers PMNS requests with PM_ERR_IPC",
       .dynamic = Names::kNone,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             if (IsNames(request)) reply = ErrorReply(pdu::kErrIpc);
           }},
      {.id = "container-is-answered",
       .check = "CKA-100"_clause,
       .does = "the name of a container is answered with an ERROR",
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* attr = request.As<pdu::Attr>();
             if (attr != nullptr && attr->attribute == pdu::Attribute::kContainer) {
               reply = ErrorReply(ErrorCode::kOk);
             }
           }},
      {.id = "unknown-attribute-kills",
       .check = "CKA-100"_clause,
       .does = "it crashes on attribute 99",
       .together = {"CKA-154"_clause, "CKA-167"_clause},
       .request =
           [](FaultContext& context, const Request& request, Buffer&) {
             const auto* attr = request.As<pdu::Attr>();
             if (attr != nullptr && static_cast<std::int32_t>(attr->attribute) == 99) {
               context.Die(SIGSEGV);
             }
           }},
      {.id = "attribute-it-did-not-want",
       .check = "CKA-101"_clause,
       .does = "it did not ask for attributes, and answers a user's number with an ERROR",
       .together = {"CKA-100"_clause, "CKA-150"_clause},
       .no_features = true,
       .reply =
           [](FaultContext&, const Request& request, Buffer& reply) {
             const auto* attr = request.As<pdu::Attr>();
             if (attr != nullptr && attr->attribute == pdu::Attribute::kUserId) {
               reply = ErrorReply(pdu::kErrIpc);
             }
           }},
  };
}

}  // namespace

std::vector<Fault> MetadataFaults() {
  std::vector<Fault> faults = HelpFaults();
  for (auto* more : {LabelFaults, NameFaults}) {
    std::vector<Fault> list = more();
    faults.insert(faults.end(), std::make_move_iterator(list.begin()),
                  std::make_move_iterator(list.end()));
  }
  return faults;
}

}  // namespace pmproof::generators
