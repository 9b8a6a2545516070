// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <optional>
#include <utility>

#include "reference/pmda/pdu/encode.h"
#include "validator/testee/identifier_argument.h"
#include "validator/testee/pdu_json.h"
#include "validator/testee/value_argument.h"

namespace pmproof::validator {
namespace {

using pdu::Body;
using pdu::PduType;

constexpr PduType kTypes[] = {
    PduType::kError,     PduType::kResult,    PduType::kProfile,      PduType::kFetch,
    PduType::kDescReq,   PduType::kDesc,      PduType::kInstanceReq,  PduType::kInstance,
    PduType::kTextReq,   PduType::kText,      PduType::kCreds,        PduType::kPmnsIds,
    PduType::kPmnsNames, PduType::kPmnsChild, PduType::kPmnsTraverse, PduType::kAttr,
    PduType::kLabelReq,  PduType::kLabel,     PduType::kHighresFetch, PduType::kHighresResult,
    PduType::kDescIds,   PduType::kDescs,
};

// Makes one PDU of its fields. A Pdu is made of views: what they view is here, and lists grow
// before anything views them. The first complaint is kept.
class PduReader {
 public:
  tl::expected<std::vector<std::uint8_t>, Outcome> Read(const Json& json) {
    pdu::Pdu made;
    made.from = Number<std::int32_t>(json, "from");
    const std::string_view name = Text(json, "pdu");
    std::optional<PduType> type;
    for (const PduType known : kTypes) {
      if (ToText(known) == name) type = known;
    }
    if (!type) Complain("pdu: no type of a PDU");
    if (!complaint_) made.body = BodyOf(*type, json);
    if (complaint_) return tl::unexpected(Outcome(Failure{*complaint_}));
    std::vector<std::uint8_t> bytes;
    const auto encoded = pdu::Encode(made, &bytes);
    if (!encoded) return tl::unexpected(Outcome(PduRefusal(encoded.error())));
    return bytes;
  }

 private:
  void Complain(std::string what) {
    if (!complaint_) complaint_ = "args.pdus: " + std::move(what);
  }

  static const Json& Member(const Json& json, const char* key) {
    static const Json kNone;
    if (!json.is_object()) return kNone;
    const auto found = json.find(key);
    return found == json.end() ? kNone : *found;
  }

  template <typename Int>
  Int Number(const Json& json, const char* key) {
    return NumberOf<Int>(Member(json, key), key);
  }
  template <typename Int>
  Int NumberOf(const Json& json, const char* key) {
    // What is larger than any signed number is one of none here.
    if (json.is_number_integer() &&
        (!json.is_number_unsigned() || json.get<std::uint64_t>() >> 63 == 0)) {
      const auto number = json.get<std::int64_t>();
      if (std::in_range<Int>(number)) return static_cast<Int>(number);
    }
    Complain(std::string(key) + ": missing, or no number that fits");
    return 0;
  }

  std::uint32_t Word(const Json& json, const char* key) { return WordOf(Member(json, key), key); }
  std::uint32_t WordOf(const Json& json, const char* key) {
    const auto word = json.is_string() ? ParseWord(json.get<std::string>()) : std::nullopt;
    if (!word) Complain(std::string(key) + ": no eight hexadecimal digits");
    return word.value_or(0);
  }

  std::vector<std::uint8_t> Hex(const Json& json, const char* key) {
    auto bytes = ParseHex(Text(json, key));
    if (!bytes) Complain(std::string(key) + ": no hexadecimal digits");
    return std::move(bytes).value_or(std::vector<std::uint8_t>());
  }

  // A view of what is kept here.
  std::string_view Text(const Json& json, const char* key) {
    const Json& member = Member(json, key);
    if (!member.is_string()) {
      Complain(std::string(key) + ": missing, or no string");
      return {};
    }
    std::string text = member.get<std::string>();
    if (text.starts_with("base64:")) {
      std::optional<std::string> bytes = ParseBase64(text);
      if (!bytes) Complain(std::string(key) + ": no base64");
      text = std::move(bytes).value_or("");
    }
    return texts_.emplace_back(std::move(text));
  }

  // A view of items that are kept here, made one after the other.
  template <typename T, typename Item>
  pdu::List<T> Items(std::deque<std::vector<T>>* kept, const Json& json, const char* key,
                     Item&& item) {
    const Json& member = Member(json, key);
    if (!member.is_array()) Complain(std::string(key) + ": missing, or no list");
    std::vector<T> items;
    if (member.is_array()) {
      for (const Json& one : member) items.push_back(item(one));
    }
    return std::span<const T>(kept->emplace_back(std::move(items)));
  }

  pdu::List<Pmid> Pmids(const Json& json) {
    return Items(&pmids_, json, "pmids",
                 [&](const Json& one) { return Pmid{WordOf(one, "pmids")}; });
  }

  Descriptor DescriptorOf(const Json& json) {
    Descriptor descriptor;
    descriptor.pmid = Pmid{Word(json, "pmid")};
    descriptor.type = static_cast<MetricType>(Number<std::int32_t>(json, "type"));
    descriptor.indom = Indom{Word(json, "indom")};
    descriptor.semantics = static_cast<Semantics>(Number<std::int32_t>(json, "semantics"));
    descriptor.units.word = Word(json, "units");
    return descriptor;
  }

  pdu::Credential CredentialOf(const Json& json) {
    pdu::Credential credential;
    credential.type = Number<std::uint8_t>(json, "type");
    const auto bytes = Hex(json, "bytes");
    if (bytes.size() != credential.bytes.size()) {
      Complain("bytes: not three bytes");
    } else {
      std::copy(bytes.begin(), bytes.end(), credential.bytes.begin());
    }
    return credential;
  }

  pdu::Profile ProfileOf(const Json& json) {
    return {Number<std::int32_t>(json, "context"), Number<std::int32_t>(json, "state"),
            Items(&entries_, json, "entries", [&](const Json& one) {
              return pdu::ProfileEntry{
                  Indom{Word(one, "indom")}, Number<std::int32_t>(one, "state"),
                  Items(&numbers_, one, "instances", [&](const Json& instance) {
                    return NumberOf<std::int32_t>(instance, "instances");
                  })};
            })};
  }

  pdu::ValueSet SetOf(const Json& json) {
    pdu::ValueSet set;
    set.pmid = Pmid{Word(json, "pmid")};
    if (!json.contains("values")) {
      set.status = static_cast<ErrorCode>(Number<std::int32_t>(json, "status"));
      return set;
    }
    const std::string_view format = Text(json, "format");
    if (format == "insitu") {
      set.format = pdu::ValueFormat::kInsitu;
    } else if (format == "dynamic") {
      set.format = pdu::ValueFormat::kDynamic;
    } else if (format == "static") {
      set.format = pdu::ValueFormat::kStatic;
    } else {
      Complain("format: neither insitu, dynamic nor static");
    }
    set.values = Items(&values_, json, "values", [&](const Json& one) {
      pdu::InstanceValue value;
      value.instance = Number<std::int32_t>(one, "instance");
      if (set.format == pdu::ValueFormat::kInsitu) {
        value.word = Word(one, "word");
      } else {
        value.type = static_cast<MetricType>(Number<std::uint8_t>(one, "type"));
        value.body = std::span<const std::uint8_t>(bodies_.emplace_back(Hex(one, "body")));
      }
      return value;
    });
    return set;
  }

  pdu::LabelSet LabelSetOf(const Json& json) {
    return {Number<std::int32_t>(json, "instance"),
            static_cast<ErrorCode>(Number<std::int32_t>(json, "status")), Text(json, "json"),
            Items(&labels_, json, "labels", [&](const Json& one) {
              return pdu::LabelEntry{Number<std::uint16_t>(one, "name_offset"),
                                     Number<std::uint8_t>(one, "name_length"),
                                     Number<std::uint8_t>(one, "flags"),
                                     Number<std::uint16_t>(one, "value_offset"),
                                     Number<std::uint16_t>(one, "value_length")};
            })};
  }

  pdu::PmnsNames NamesOf(const Json& json) {
    pdu::PmnsNames names;
    names.names = Items(&names_, json, "names", [&](const Json& one) {
      pdu::PmnsName name{Text(one, "name"), pdu::kLeaf};
      if (!Member(one, "status").is_null()) {
        names.has_status = true;
        name.status = Number<std::int32_t>(one, "status");
      }
      return name;
    });
    return names;
  }

  pdu::List<pdu::ValueSet> Sets(const Json& json) {
    return Items(&sets_, json, "sets", [&](const Json& one) { return SetOf(one); });
  }

  Body BodyOf(PduType type, const Json& json) {
    switch (type) {
      case PduType::kError: {
        pdu::Error error{static_cast<ErrorCode>(Number<std::int32_t>(json, "code"))};
        if (!Member(json, "datum").is_null()) error.datum = Word(json, "datum");
        return error;
      }
      case PduType::kResult:
        return pdu::Result{Number<std::int32_t>(json, "seconds"),
                           Number<std::int32_t>(json, "microseconds"), Sets(json)};
      case PduType::kHighresResult:
        return pdu::HighresResult{Number<std::int64_t>(json, "seconds"),
                                  Number<std::int64_t>(json, "nanoseconds"), Sets(json)};
      case PduType::kProfile:
        return ProfileOf(json);
      case PduType::kFetch:
        return pdu::Fetch{Number<std::int32_t>(json, "context"), Pmids(json)};
      case PduType::kHighresFetch:
        return pdu::HighresFetch{Number<std::int32_t>(json, "context"), Pmids(json)};
      case PduType::kDescReq:
        return pdu::DescReq{Pmid{Word(json, "pmid")}};
      case PduType::kDesc:
        return pdu::Desc{DescriptorOf(Member(json, "descriptor"))};
      case PduType::kDescIds:
        return pdu::DescIds{Pmids(json)};
      case PduType::kDescs:
        return pdu::Descs{Items(&descriptors_, json, "descriptors",
                                [&](const Json& one) { return DescriptorOf(one); })};
      case PduType::kInstanceReq:
        return pdu::InstanceReq{Indom{Word(json, "indom")}, Number<std::int32_t>(json, "instance"),
                                Text(json, "name")};
      case PduType::kInstance:
        return pdu::Instance{
            Indom{Word(json, "indom")}, Items(&instances_, json, "instances", [&](const Json& one) {
              return pdu::InstanceEntry{Number<std::int32_t>(one, "instance"), Text(one, "name")};
            })};
      case PduType::kTextReq:
        return pdu::TextReq{Word(json, "identifier"), Number<std::uint32_t>(json, "type")};
      case PduType::kText:
        return pdu::Text{Word(json, "identifier"), Text(json, "text")};
      case PduType::kCreds:
        return pdu::Creds{Items(&credentials_, json, "credentials",
                                [&](const Json& one) { return CredentialOf(one); })};
      case PduType::kPmnsIds:
        return pdu::PmnsIds{Number<std::int32_t>(json, "status"), Pmids(json)};
      case PduType::kPmnsNames:
        return NamesOf(json);
      case PduType::kPmnsChild:
        return pdu::PmnsChild{Number<std::int32_t>(json, "subtype"), Text(json, "name")};
      case PduType::kPmnsTraverse:
        return pdu::PmnsTraverse{Number<std::int32_t>(json, "subtype"), Text(json, "name")};
      case PduType::kAttr:
        return pdu::Attr{static_cast<pdu::Attribute>(Number<std::int32_t>(json, "attribute")),
                         Text(json, "value")};
      case PduType::kLabelReq:
        return pdu::LabelReq{Word(json, "identifier"), Number<std::uint32_t>(json, "type")};
      case PduType::kLabel:
        return pdu::Label{
            Word(json, "identifier"), Number<std::uint32_t>(json, "type"),
            Items(&label_sets_, json, "sets", [&](const Json& one) { return LabelSetOf(one); })};
      case PduType::kControlReq:
        break;
    }
    Complain("pdu: no type that is written");
    return pdu::Error{};
  }

  std::optional<std::string> complaint_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::uint8_t>> bodies_;
  std::deque<std::vector<Pmid>> pmids_;
  std::deque<std::vector<Descriptor>> descriptors_;
  std::deque<std::vector<std::int32_t>> numbers_;
  std::deque<std::vector<pdu::ProfileEntry>> entries_;
  std::deque<std::vector<pdu::Credential>> credentials_;
  std::deque<std::vector<pdu::InstanceValue>> values_;
  std::deque<std::vector<pdu::ValueSet>> sets_;
  std::deque<std::vector<pdu::InstanceEntry>> instances_;
  std::deque<std::vector<pdu::PmnsName>> names_;
  std::deque<std::vector<pdu::LabelEntry>> labels_;
  std::deque<std::vector<pdu::LabelSet>> label_sets_;
};

}  // namespace

tl::expected<std::vector<std::uint8_t>, Outcome> BytesOf(const Json& pdu) {
  return PduReader().Read(pdu);
}

}  // namespace pmproof::validator
