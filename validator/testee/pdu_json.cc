// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/pdu_json.h"

#include "reference/core/utf8.h"
#include "validator/testee/identifier_argument.h"
#include "validator/text/quote.h"

namespace pmproof::validator {
namespace {

// All bytes, also a NUL at the end, which is a part of some texts (PDU-040).
std::string TextOf(std::string_view bytes) {
  const bool is_text = FirstInvalidUtf8(bytes) == bytes.size() && !bytes.starts_with("base64:");
  return is_text ? std::string(bytes) : Base64(AsBytes(bytes));
}

template <typename T, typename Item>
Json Listed(const pdu::List<T>& items, Item&& item) {
  Json json = Json::array();
  for (const T& each : items) json.push_back(item(each));
  return json;
}

Json Words(const pdu::List<Pmid>& pmids) {
  return Listed(pmids, [](Pmid pmid) { return WordText(pmid.value); });
}

Json Fields(const pdu::Error& error) {
  return {{"code", static_cast<std::int32_t>(error.code)},
          {"datum", error.datum ? Json(WordText(*error.datum)) : Json(nullptr)}};
}

Json Fields(const pdu::Creds& creds) {
  return {{"credentials", Listed(creds.credentials, [](const pdu::Credential& one) {
             return Json{{"type", one.type}, {"bytes", HexOf(one.bytes)}};
           })}};
}

Json Fields(const pdu::Attr& attr) {
  return {{"attribute", static_cast<std::int32_t>(attr.attribute)}, {"value", TextOf(attr.value)}};
}

Json Fields(const pdu::Profile& profile) {
  return {{"context", profile.context},
          {"state", profile.state},
          {"entries", Listed(profile.entries, [](const pdu::ProfileEntry& entry) {
             return Json{{"indom", WordText(entry.indom.value)},
                         {"state", entry.state},
                         {"instances", Listed(entry.instances, [](std::int32_t i) { return i; })}};
           })}};
}

template <typename AnyFetch>
Json FetchFields(const AnyFetch& fetch) {
  return {{"context", fetch.context}, {"pmids", Words(fetch.pmids)}};
}
Json Fields(const pdu::Fetch& fetch) { return FetchFields(fetch); }
Json Fields(const pdu::HighresFetch& fetch) { return FetchFields(fetch); }

Json OfDescriptor(const Descriptor& descriptor) {
  return {{"pmid", WordText(descriptor.pmid.value)},
          {"type", static_cast<std::int32_t>(descriptor.type)},
          {"indom", WordText(descriptor.indom.value)},
          {"semantics", static_cast<std::int32_t>(descriptor.semantics)},
          {"units", WordText(descriptor.units.word)}};
}

Json Fields(const pdu::DescReq& pdu) { return {{"pmid", WordText(pdu.pmid.value)}}; }
Json Fields(const pdu::Desc& pdu) { return {{"descriptor", OfDescriptor(pdu.descriptor)}}; }
Json Fields(const pdu::DescIds& pdu) { return {{"pmids", Words(pdu.pmids)}}; }
Json Fields(const pdu::Descs& pdu) {
  return {{"descriptors", Listed(pdu.descriptors, OfDescriptor)}};
}

Json Fields(const pdu::InstanceReq& pdu) {
  return {
      {"indom", WordText(pdu.indom.value)}, {"instance", pdu.instance}, {"name", TextOf(pdu.name)}};
}

Json Fields(const pdu::Instance& pdu) {
  return {{"indom", WordText(pdu.indom.value)},
          {"instances", Listed(pdu.instances, [](const pdu::InstanceEntry& entry) {
             return Json{{"instance", entry.instance}, {"name", TextOf(entry.name)}};
           })}};
}

template <typename AnyRequest>
Json RequestFields(const AnyRequest& pdu) {
  return {{"identifier", WordText(pdu.identifier)}, {"type", pdu.type}};
}
Json Fields(const pdu::TextReq& pdu) { return RequestFields(pdu); }
Json Fields(const pdu::LabelReq& pdu) { return RequestFields(pdu); }

Json Fields(const pdu::Text& pdu) {
  return {{"identifier", WordText(pdu.identifier)}, {"text", TextOf(pdu.text)}};
}

Json Fields(const pdu::PmnsIds& pdu) {
  return {{"status", pdu.status}, {"pmids", Words(pdu.pmids)}};
}

Json Fields(const pdu::PmnsNames& pdu) {
  return {{"names", Listed(pdu.names, [&](const pdu::PmnsName& name) {
             return Json{{"name", TextOf(name.name)},
                         {"status", pdu.has_status ? Json(name.status) : Json(nullptr)}};
           })}};
}

template <typename Node>
Json NodeFields(const Node& pdu) {
  return {{"subtype", pdu.subtype}, {"name", TextOf(pdu.name)}};
}
Json Fields(const pdu::PmnsChild& pdu) { return NodeFields(pdu); }
Json Fields(const pdu::PmnsTraverse& pdu) { return NodeFields(pdu); }

Json OfLabel(const pdu::LabelEntry& label) {
  return {{"name_offset", label.name_offset},
          {"name_length", label.name_length},
          {"flags", label.flags},
          {"value_offset", label.value_offset},
          {"value_length", label.value_length}};
}

Json Fields(const pdu::Label& pdu) {
  Json json = RequestFields(pdu);
  json["sets"] = Listed(pdu.sets, [](const pdu::LabelSet& set) {
    return Json{{"instance", set.instance},
                {"status", static_cast<std::int32_t>(set.status)},
                {"json", TextOf(set.json)},
                {"labels", Listed(set.labels, OfLabel)}};
  });
  return json;
}

Json OfSet(const pdu::ValueSet& set) {
  static constexpr const char* kFormats[] = {"insitu", "dynamic", "static"};
  Json json = {{"pmid", WordText(set.pmid.value)}};
  if (set.values.empty()) {
    json["status"] = set.numval();
    return json;
  }
  json["format"] = kFormats[static_cast<std::size_t>(set.format)];
  json["values"] = Listed(set.values, [&](const pdu::InstanceValue& value) {
    Json one = {{"instance", value.instance}};
    if (set.format == pdu::ValueFormat::kInsitu) {
      one["word"] = WordText(value.word);
    } else {
      one["type"] = static_cast<std::int32_t>(value.type);
      one["body"] = HexOf(value.body);
    }
    return one;
  });
  return json;
}

Json Fields(const pdu::Result& pdu) {
  return {{"seconds", pdu.seconds},
          {"microseconds", pdu.microseconds},
          {"sets", Listed(pdu.sets, OfSet)}};
}

Json Fields(const pdu::HighresResult& pdu) {
  return {{"seconds", pdu.seconds},
          {"nanoseconds", pdu.nanoseconds},
          {"sets", Listed(pdu.sets, OfSet)}};
}

constexpr int kNone = -1;

// The value of a digit; kNone for another character.
int Nibble(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return kNone;
}

}  // namespace

Json PduJson(const pdu::Pdu& pdu) {
  Json json = {{"pdu", ToText(pdu::TypeOf(pdu.body))}, {"from", pdu.from}};
  json.update(std::visit([](const auto& body) { return Fields(body); }, pdu.body));
  return json;
}

Reject PduRefusal(const pdu::PduError& error) {
  Reject reject{"pdu.body", error.offset, error.ToText()};
  for (const Clause clause : {"PDU-003"_clause, "PDU-006"_clause, "PDU-007"_clause}) {
    if (error.clause == clause) reject.error_class = "pdu.header";
  }
  if (error.clause == "PDU-020"_clause) reject.error_class = "pdu.type";
  return reject;
}

std::optional<std::vector<std::uint8_t>> ParseHex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  int high = kNone;
  for (const char c : text) {
    if (c == ' ' && high == kNone) continue;
    const int nibble = Nibble(c);
    if (nibble == kNone) return std::nullopt;
    if (high == kNone) {
      high = nibble;
    } else {
      bytes.push_back(static_cast<std::uint8_t>(high << 4 | nibble));
      high = kNone;
    }
  }
  if (high != kNone) return std::nullopt;
  return bytes;
}

std::string HexOf(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace pmproof::validator
