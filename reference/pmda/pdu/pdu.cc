// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/pdu.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <utility>

#include "reference/pmda/pdu/departure.h"
#include "reference/pmda/pdu/pdu_error.h"

namespace pmproof::pdu {
namespace {

struct TypeName {
  PduType type;
  std::string_view name;
};

// The table of section 2.
constexpr std::array kTypeNames = {
    TypeName{PduType::kError, "ERROR"},
    TypeName{PduType::kResult, "RESULT"},
    TypeName{PduType::kProfile, "PROFILE"},
    TypeName{PduType::kFetch, "FETCH"},
    TypeName{PduType::kDescReq, "DESC_REQ"},
    TypeName{PduType::kDesc, "DESC"},
    TypeName{PduType::kInstanceReq, "INSTANCE_REQ"},
    TypeName{PduType::kInstance, "INSTANCE"},
    TypeName{PduType::kTextReq, "TEXT_REQ"},
    TypeName{PduType::kText, "TEXT"},
    TypeName{PduType::kControlReq, "CONTROL_REQ"},
    TypeName{PduType::kCreds, "CREDS"},
    TypeName{PduType::kPmnsIds, "PMNS_IDS"},
    TypeName{PduType::kPmnsNames, "PMNS_NAMES"},
    TypeName{PduType::kPmnsChild, "PMNS_CHILD"},
    TypeName{PduType::kPmnsTraverse, "PMNS_TRAVERSE"},
    TypeName{PduType::kAttr, "ATTR"},
    TypeName{PduType::kLabelReq, "LABEL_REQ"},
    TypeName{PduType::kLabel, "LABEL"},
    TypeName{PduType::kHighresFetch, "HIGHRES_FETCH"},
    TypeName{PduType::kHighresResult, "HIGHRES_RESULT"},
    TypeName{PduType::kDescIds, "DESC_IDS"},
    TypeName{PduType::kDescs, "DESCS"},
};

// Of the alternatives of Body, in their order.
constexpr std::array kBodyTypes = {
    PduType::kError,     PduType::kResult,    PduType::kProfile,      PduType::kFetch,
    PduType::kDescReq,   PduType::kDesc,      PduType::kInstanceReq,  PduType::kInstance,
    PduType::kTextReq,   PduType::kText,      PduType::kCreds,        PduType::kPmnsIds,
    PduType::kPmnsNames, PduType::kPmnsChild, PduType::kPmnsTraverse, PduType::kAttr,
    PduType::kLabelReq,  PduType::kLabel,     PduType::kHighresFetch, PduType::kHighresResult,
    PduType::kDescIds,   PduType::kDescs};
static_assert(kBodyTypes.size() == std::variant_size_v<Body>);

// Where a type is taken with bytes after its last field, or without its padding.
struct LooseType {
  PduType type;
  Clause clause;
};
constexpr LooseType kLooseTypes[] = {
    {PduType::kProfile, "PDU-054"_clause},     {PduType::kDescIds, "PDU-059"_clause},
    {PduType::kInstanceReq, "PDU-060"_clause}, {PduType::kInstance, "PDU-063"_clause},
    {PduType::kTextReq, "PMD-090"_clause},     {PduType::kText, "PDU-067"_clause},
    {PduType::kPmnsNames, "PDU-069"_clause},   {PduType::kPmnsIds, "PDU-070"_clause},
    {PduType::kPmnsChild, "PDU-071"_clause},   {PduType::kPmnsTraverse, "PDU-071"_clause},
    {PduType::kLabelReq, "PMD-091"_clause},    {PduType::kLabel, "PDU-074"_clause},
};
Clause LooseEnd(PduType type) {
  const auto found = std::ranges::find(kLooseTypes, type, &LooseType::type);
  return found == std::end(kLooseTypes) ? Clause{} : found->clause;
}

}  // namespace

std::string ToText(PduType type) {
  const auto found = std::ranges::find(kTypeNames, type, &TypeName::type);
  if (found != kTypeNames.end()) return std::string(found->name);
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "type 0x%x", static_cast<unsigned>(type));
  return text.data();
}

bool AgentAnswers(PduType type) {
  constexpr PduType kAnswered[] = {
      PduType::kResult,  // a store
      PduType::kFetch,     PduType::kDescReq,      PduType::kInstanceReq,
      PduType::kTextReq,   PduType::kPmnsIds,      PduType::kPmnsNames,
      PduType::kPmnsChild, PduType::kPmnsTraverse, PduType::kLabelReq};
  return std::ranges::find(kAnswered, type) != std::end(kAnswered);
}

PduType TypeOf(const Body& body) { return kBodyTypes[body.index()]; }

std::string PduError::ToText() const {
  std::string text = "offset " + std::to_string(offset) + ": ";
  text += field;
  text += ": ";
  text += message;
  return text + " [" + clause.ToString() + "]";
}

Clause ClauseOf(Departure departure, PduType type) {
  switch (departure) {
    case Departure::kPadBytes:
      return "PDU-010"_clause;
    case Departure::kMissingPadding:
    case Departure::kTrailingBytes:
      return LooseEnd(type);
    case Departure::kUnusedFields:
      return "PDU-057"_clause;
    case Departure::kBlockOrder:
    case Departure::kBlockOverlap:
      return "PDU-106"_clause;
    case Departure::kEventRecords:
      return "PDU-174"_clause;
    case Departure::kNameBytes:
    case Departure::kEmptyNames:
      return "PDU-069"_clause;
    case Departure::kLabelTexts:
      return "PDU-074"_clause;
    case Departure::kEmptyCreds:
      return "PDU-052"_clause;
    case Departure::kShortProfile:
      return "PDU-054"_clause;
  }
  return {};
}

std::string_view ToText(Departure departure) {
  switch (departure) {
    case Departure::kPadBytes:
      return "padding is not 0x7e";
    case Departure::kMissingPadding:
      return "the last text is not padded";
    case Departure::kTrailingBytes:
      return "bytes follow the last field";
    case Departure::kUnusedFields:
      return "an unused field is not 0";
    case Departure::kBlockOrder:
      return "value blocks are not in the order of their values";
    case Departure::kBlockOverlap:
      return "value blocks overlap, and gaps make up for it";
    case Departure::kEventRecords:
      return "event records leave their value block";
    case Departure::kNameBytes:
      return "nstrbytes or numstatus are more than the names";
    case Departure::kEmptyNames:
      return "empty names that not every version takes without bytes behind";
    case Departure::kLabelTexts:
      return "JSON texts are not one after the other, or a label is not inside its text";
    case Departure::kEmptyCreds:
      return "there are no credentials";
    case Departure::kShortProfile:
      return "the last word of the header is missing";
  }
  return {};
}

}  // namespace pmproof::pdu
