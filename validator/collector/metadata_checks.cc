// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "validator/collector/checks.h"

// CKC-024..030: descriptors, instances, help and labels, as the collector passes them on.

namespace pmproof::validator::collector {
namespace {

constexpr Pmid kNumfetch = Pmid::Of(kSimpleDomain, 0, 0);
constexpr Pmid kColor = Pmid::Of(kSimpleDomain, 0, 1);
constexpr Pmid kUnknown = Pmid::Of(kSimpleDomain, 0, 77);
constexpr Pmid kNobodys = Pmid::Of(kNoDomain, 0, 0);
constexpr Indom kColors = Indom::Of(kSimpleDomain, 0);
constexpr Indom kNobodysIndom = Indom::Of(kNoDomain, 0);

void Descriptors(Trial& trial) {  // CKC-024
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  const Answer answer = client.Ask(DescReqOf(kNumfetch));
  if (const auto* const desc = trial.ExpectPdu<pdu::Desc>(answer, "DESC_REQ of 253.0.0")) {
    trial.Expect(desc->descriptor.pmid == kNumfetch, "DESC_REQ of 253.0.0", "its descriptor",
                 pdu::ToText(*answer.decoded()));
  }
  trial.ExpectError(client.Ask(DescReqOf(kUnknown)), ErrorCode::kPmid,
                    "DESC_REQ of the unknown 253.0.77");
  trial.ExpectError(client.Ask(DescReqOf(kNobodys)), ErrorCode::kPmid,
                    "DESC_REQ of 99.0.0, which is nobody's");
}

// The PMIDs of the slots, PM_ID_NULL for one without descriptor.
void ExpectSlots(Trial& trial, const Answer& answer, const std::vector<Pmid>& expected,
                 std::string_view about) {
  const auto* const descs = trial.ExpectPdu<pdu::Descs>(answer, about);
  if (descs == nullptr) return;
  const bool equal = std::ranges::equal(descs->descriptors, expected, {},
                                        [](const Descriptor& slot) { return slot.pmid; });
  std::string slots;
  for (const Pmid pmid : expected) slots += (slots.empty() ? "" : ", ") + ToText(pmid);
  trial.Expect(equal, about, "DESCS with the slots " + slots, pdu::ToText(*answer.decoded()));
}

void DescriptorList(Trial& trial) {  // CKC-025
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  const Pmid ten = Pmid::Of(kSampleDomain, 0, 10);
  trial.Need(client, ten, "sample (29)");
  ExpectSlots(trial, client.Ask(DescIdsOf({kColor, Pmid::Of(kNoDomain, 0, 1), kUnknown, ten})),
              {kColor, Pmid::Null(), Pmid::Null(), ten},
              "DESC_IDS of 253.0.1, 99.0.1, 253.0.77 and 29.0.10");
}

void BadDescriptorLists(Trial& trial) {  // CKC-026
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  trial.ExpectError(client.Ask(DescIdsOf({kUnknown})), ErrorCode::kPmid, "DESC_IDS of 253.0.77");
  ExpectSlots(trial, client.Ask(DescIdsOf({kUnknown, kNobodys})), {Pmid::Null(), Pmid::Null()},
              "DESC_IDS of 253.0.77 and 99.0.0");
  trial.ExpectError(client.Ask(Words({0x18, 0x7016, 0, 0, 1, kColor.value})), pdu::kErrIpc,
                    "DESC_IDS with status 0");
}

void ExpectInstances(Trial& trial, const Answer& answer,
                     const std::vector<pdu::InstanceEntry>& expected, std::string_view about,
                     std::string_view words) {
  const auto* const instance = trial.ExpectPdu<pdu::Instance>(answer, about);
  if (instance == nullptr) return;
  trial.Expect(instance->indom == kColors && std::ranges::equal(instance->instances, expected),
               about, words, pdu::ToText(*answer.decoded()));
}

void Instances(Trial& trial) {  // CKC-027
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  ExpectInstances(trial, client.Ask(InstanceReqOf(kColors)),
                  {{0, "red"}, {1, "green"}, {2, "blue"}}, "INSTANCE_REQ of all of 253.0",
                  "0 red, 1 green, 2 blue");
  ExpectInstances(trial, client.Ask(InstanceReqOf(kColors, 1)), {{kInstanceNull, "green"}},
                  "INSTANCE_REQ of number 1 of 253.0", "the name green with number -1");
  ExpectInstances(trial, client.Ask(InstanceReqOf(kColors, kInstanceNull, "blue")), {{2, ""}},
                  "INSTANCE_REQ of blue of 253.0", "number 2 with an empty name");
  trial.ExpectError(client.Ask(InstanceReqOf(kNobodysIndom)), ErrorCode::kIndom,
                    "INSTANCE_REQ of 99.0, which is nobody's");
}

void HelpTexts(Trial& trial) {  // CKC-028
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  const auto ask = [&](std::uint32_t identifier, std::uint32_t type, std::string_view about) {
    const Answer answer = client.Ask(TextReqOf(identifier, type));
    const auto* const text = trial.ExpectPdu<pdu::Text>(answer, about);
    if (text != nullptr) trial.Expect(!text->text.empty(), about, "a text", "an empty one");
  };
  ask(kColor.value, pdu::kTextPmid | pdu::kTextOneLine, "TEXT_REQ of 253.0.1, one line");
  ask(kColor.value, pdu::kTextPmid | pdu::kTextHelp, "TEXT_REQ of 253.0.1, help");
  ask(kColors.value, pdu::kTextIndom | pdu::kTextOneLine, "TEXT_REQ of the indom 253.0");
  trial.ExpectError(client.Ask(TextReqOf(kNobodys.value, pdu::kTextPmid | pdu::kTextOneLine)),
                    ErrorCode::kPmid, "TEXT_REQ of 99.0.0, which is nobody's");
}

constexpr std::uint32_t Type(LabelClass label_class) {
  return static_cast<std::uint32_t>(label_class);
}

bool IsJsonString(std::string_view value) {
  return value.size() >= 2 && value.front() == '"' && value.back() == '"';
}

void ContextLabels(Trial& trial) {  // CKC-029
  Client& client = trial.Connect();
  const std::string about = "LABEL_REQ of the context";
  const Answer answer = client.Ask(LabelReqOf(0xffffffff, Type(LabelClass::kContext)));
  const auto* const label = trial.ExpectPdu<pdu::Label>(answer, about);
  if (label == nullptr) return;
  const std::string shown = pdu::ToText(*answer.decoded());
  if (!trial.Expect(label->sets.size() == 1, about, "one set", shown)) return;
  const pdu::LabelSet& set = label->sets[0];
  std::vector<std::string_view> names;
  for (const pdu::LabelEntry& entry : set.labels) names.push_back(set.Name(entry));
  trial.Expect(std::ranges::is_sorted(names), about, "labels sorted by name", shown);
  for (const std::string_view due : {"domainname", "hostname", "machineid"}) {
    const auto found = std::ranges::find(names, due);
    if (!trial.Expect(found != names.end(), about, "the label " + std::string(due), shown))
      continue;
    const auto& entry = set.labels[static_cast<std::size_t>(found - names.begin())];
    trial.Expect(IsJsonString(set.Value(entry)), about,
                 "a JSON string as value of " + std::string(due), shown);
  }
}

void OtherLabels(Trial& trial) {  // CKC-030
  Client& client = trial.Connect();
  trial.Need(client, kColor, "simple (253)");
  const std::string about = "LABEL_REQ of domain 253";
  const Answer answer = client.Ask(LabelReqOf(kSimpleDomain, Type(LabelClass::kDomain)));
  if (const auto* const label = trial.ExpectPdu<pdu::Label>(answer, about)) {
    trial.Expect(label->identifier == kSimpleDomain && label->type == Type(LabelClass::kDomain) &&
                     label->sets.size() == 1,
                 about, "one set of this domain", pdu::ToText(*answer.decoded()));
  }
  trial.ExpectError(client.Ask(LabelReqOf(kNoDomain, Type(LabelClass::kDomain))), pdu::kErrNoAgent,
                    "LABEL_REQ of domain 99");
  trial.ExpectError(client.Ask(LabelReqOf(kNobodysIndom.value, Type(LabelClass::kIndom))),
                    ErrorCode::kIndom, "LABEL_REQ of the indom 99.0");
  trial.ExpectError(client.Ask(LabelReqOf(kNobodys.value, Type(LabelClass::kItem))),
                    ErrorCode::kPmid, "LABEL_REQ of the item 99.0.0");
  trial.ExpectError(client.Ask(LabelReqOf(kNumfetch.value, 3)), ErrorCode::kType,
                    "LABEL_REQ of type 3");
}

constexpr std::array kChecks = {
    Check{"CKC-024"_clause, Descriptors},        Check{"CKC-025"_clause, DescriptorList},
    Check{"CKC-026"_clause, BadDescriptorLists}, Check{"CKC-027"_clause, Instances},
    Check{"CKC-028"_clause, HelpTexts},          Check{"CKC-029"_clause, ContextLabels},
    Check{"CKC-030"_clause, OtherLabels},
};

}  // namespace

std::span<const Check> MetadataChecks() { return kChecks; }

}  // namespace pmproof::validator::collector
