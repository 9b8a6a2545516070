// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/pdu_text.h"

#include <array>
#include <cstdio>
#include <limits>
#include <string_view>

#include "reference/core/printable.h"

namespace pmproof::pdu {
namespace {

std::string Hex(std::uint32_t word) {
  std::array<char, 9> text;
  std::snprintf(text.data(), text.size(), "%08x", static_cast<unsigned>(word));
  return text.data();
}

std::string Hex(Bytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

std::string Quoted(std::string_view text) {
  return "'" + Printable(text, std::numeric_limits<std::size_t>::max()) + "'";
}

// The flag bit is not a part of the usual text of an identifier.
template <typename Identifier>
std::string Id(Identifier identifier) {
  const bool flag = identifier.flag() && !identifier.IsNull();
  return ToText(identifier) + (flag ? "+flag" : "");
}

std::string Number(std::int64_t number) { return std::to_string(number); }

template <typename T, typename Item>
std::string Joined(const List<T>& items, Item&& item) {
  std::string text = "[";
  for (const T& each : items) {
    if (text.size() > 1) text += ' ';
    text += item(each);
  }
  return text + "]";
}

std::string Pmids(const List<Pmid>& pmids) { return Joined(pmids, Id<Pmid>); }

std::string Fields(const Error& pdu) {
  std::string text = "code=" + Number(static_cast<std::int32_t>(pdu.code));
  if (pdu.datum) text += " datum=" + Hex(*pdu.datum);
  return text;
}

std::string Fields(const Creds& pdu) {
  return "credentials=" + Joined(pdu.credentials, [](const Credential& credential) {
           return Number(credential.type) + ":" + Hex(Bytes(credential.bytes));
         });
}

std::string Fields(const Attr& pdu) {
  return "attr=" + Number(static_cast<std::int32_t>(pdu.attribute)) + " value=" + Quoted(pdu.value);
}

std::string Fields(const Profile& pdu) {
  const auto entry_text = [](const ProfileEntry& entry) {
    return "{" + Id(entry.indom) + " state=" + Number(entry.state) +
           " instances=" + Joined(entry.instances, Number) + "}";
  };
  return "context=" + Number(pdu.context) + " state=" + Number(pdu.state) +
         " entries=" + Joined(pdu.entries, entry_text);
}

template <typename AnyFetch>
std::string FetchFields(const AnyFetch& pdu) {
  return "context=" + Number(pdu.context) + " pmids=" + Pmids(pdu.pmids);
}
std::string Fields(const Fetch& pdu) { return FetchFields(pdu); }
std::string Fields(const HighresFetch& pdu) { return FetchFields(pdu); }

std::string DescriptorText(const Descriptor& descriptor) {
  return "{" + Id(descriptor.pmid) + " type=" + Number(static_cast<std::int32_t>(descriptor.type)) +
         " indom=" + Id(descriptor.indom) +
         " sem=" + Number(static_cast<std::int32_t>(descriptor.semantics)) +
         " units=" + Hex(descriptor.units.word) + "}";
}

std::string Fields(const DescReq& pdu) { return "pmid=" + Id(pdu.pmid); }
std::string Fields(const Desc& pdu) { return "descriptor=" + DescriptorText(pdu.descriptor); }
std::string Fields(const DescIds& pdu) { return "pmids=" + Pmids(pdu.pmids); }
std::string Fields(const Descs& pdu) {
  return "descriptors=" + Joined(pdu.descriptors, DescriptorText);
}

std::string Fields(const InstanceReq& pdu) {
  return "indom=" + Id(pdu.indom) + " inst=" + Number(pdu.instance) + " name=" + Quoted(pdu.name);
}

std::string Fields(const Instance& pdu) {
  return "indom=" + Id(pdu.indom) +
         " instances=" + Joined(pdu.instances, [](const InstanceEntry& entry) {
           return Number(entry.instance) + ":" + Quoted(entry.name);
         });
}

template <typename AnyRequest>
std::string RequestFields(const AnyRequest& pdu) {
  return "ident=" + Hex(pdu.identifier) + " type=" + Number(pdu.type);
}
std::string Fields(const TextReq& pdu) { return RequestFields(pdu); }
std::string Fields(const LabelReq& pdu) { return RequestFields(pdu); }

std::string Fields(const Text& pdu) {
  return "ident=" + Hex(pdu.identifier) + " text=" + Quoted(pdu.text);
}

std::string Fields(const PmnsIds& pdu) {
  return "status=" + Number(pdu.status) + " pmids=" + Pmids(pdu.pmids);
}

std::string Fields(const PmnsNames& pdu) {
  return "names=" + Joined(pdu.names, [&](const PmnsName& name) {
           return (pdu.has_status ? Number(name.status) + ":" : "") + Quoted(name.name);
         });
}

template <typename Node>
std::string NodeFields(const Node& pdu) {
  return "subtype=" + Number(pdu.subtype) + " name=" + Quoted(pdu.name);
}
std::string Fields(const PmnsChild& pdu) { return NodeFields(pdu); }
std::string Fields(const PmnsTraverse& pdu) { return NodeFields(pdu); }

std::string Fields(const Label& pdu) {
  const auto entry_text = [](const LabelEntry& entry) {
    return Number(entry.name_offset) + "+" + Number(entry.name_length) + "/" +
           Number(entry.value_offset) + "+" + Number(entry.value_length) + "/" +
           Hex(Bytes(&entry.flags, 1));
  };
  const auto set_text = [&](const LabelSet& set) {
    std::string text = "{" + Number(set.instance);
    if (set.status != ErrorCode::kOk) text += " " + Number(static_cast<std::int32_t>(set.status));
    return text + " " + Quoted(set.json) + " " + Joined(set.labels, entry_text) + "}";
  };
  return RequestFields(pdu) + " sets=" + Joined(pdu.sets, set_text);
}

std::string SetText(const ValueSet& set) {
  static constexpr std::string_view kFormats[] = {" insitu", " dynamic", " static"};
  std::string text = "{" + Id(set.pmid);
  if (set.values.empty()) return text + " " + Number(set.numval()) + "}";
  text += kFormats[static_cast<std::size_t>(set.format)];
  for (const InstanceValue& value : set.values) {
    text += " " + Number(value.instance) + ":";
    text += set.format == ValueFormat::kInsitu
                ? Hex(value.word)
                : Number(static_cast<std::int32_t>(value.type)) + "/" + Hex(value.body);
  }
  return text + "}";
}

std::string Fields(const Result& pdu) {
  return "seconds=" + Number(pdu.seconds) + " microseconds=" + Number(pdu.microseconds) +
         " sets=" + Joined(pdu.sets, SetText);
}

std::string Fields(const HighresResult& pdu) {
  return "seconds=" + Number(pdu.seconds) + " nanoseconds=" + Number(pdu.nanoseconds) +
         " sets=" + Joined(pdu.sets, SetText);
}

}  // namespace

std::string ToText(const Pdu& pdu) {
  return ToText(TypeOf(pdu.body)) + " from=" + Number(pdu.from) + " " +
         std::visit([](const auto& body) { return Fields(body); }, pdu.body);
}

}  // namespace pmproof::pdu
