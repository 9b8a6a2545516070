// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/testing/arbitrary_pdu.h"

#include <rapidcheck.h>

#include "reference/core/bytes.h"

namespace pmproof::pdu {
namespace {

template <typename T>
T Any() {
  return *rc::gen::arbitrary<T>();
}

// Small numbers, and the limits of their type.
std::int32_t Number() {
  return *rc::gen::oneOf(rc::gen::inRange(-3, 300), rc::gen::arbitrary<std::int32_t>(),
                         rc::gen::element(INT32_MIN, INT32_MAX));
}
std::uint32_t Word() { return static_cast<std::uint32_t>(Number()); }
std::int32_t NotNegative() { return *rc::gen::inRange<std::int32_t>(0, INT32_MAX); }
ErrorCode Failure() {
  return static_cast<ErrorCode>(
      *rc::gen::oneOf(rc::gen::inRange(-12500, -12344), rc::gen::inRange<int>(INT32_MIN, 0)));
}

std::size_t Size(std::size_t from = 0) { return *rc::gen::inRange<std::size_t>(from, from + 6); }

class Maker {
 public:
  explicit Maker(PduStorage* storage) : storage_(*storage) {}

  Body Make(PduType type) {
    switch (type) {
      case PduType::kError:
        return MakeError();
      case PduType::kResult:
        return Result{Number(), Number(), Sets()};
      case PduType::kProfile:
        return Profile{NotNegative(), Number(), ListOf(storage_.entries, [&] { return Entry(); })};
      case PduType::kFetch:
        return Fetch{Number(), Pmids()};
      case PduType::kDescReq:
        return DescReq{Pmid{Word()}};
      case PduType::kDesc:
        return Desc{MakeDescriptor()};
      case PduType::kInstanceReq:
        return InstanceReq{Indom{Word()}, Number(), Text()};
      case PduType::kInstance:
        return Instance{Indom{Word()}, ListOf(storage_.instances, [&] {
                          return InstanceEntry{Number(), Text()};
                        })};
      case PduType::kTextReq:
        return TextReq{Word(), Word()};
      case PduType::kText:
        return pdu::Text{Word(), Text()};
      case PduType::kCreds:
        return Creds{ListOf(
            storage_.credentials, [] { return MakeCredential(); }, 1)};
      case PduType::kPmnsIds:
        return PmnsIds{Number(), Pmids()};
      case PduType::kPmnsNames:
        return MakeNames();
      case PduType::kPmnsChild:
        return PmnsChild{Number(), Text()};
      case PduType::kPmnsTraverse:
        return PmnsTraverse{Number(), Text()};
      case PduType::kAttr:
        return Attr{static_cast<Attribute>(Number()), Text()};
      case PduType::kLabelReq:
        return LabelReq{Word(), Word()};
      case PduType::kLabel:
        return Label{Word(), Word(), ListOf(storage_.label_sets, [&] { return MakeLabelSet(); })};
      case PduType::kHighresFetch:
        return HighresFetch{Number(), Pmids()};
      case PduType::kHighresResult:
        return HighresResult{Any<std::int64_t>(), Any<std::int64_t>(), Sets()};
      case PduType::kDescIds:
        return DescIds{Pmids()};
      case PduType::kDescs:
        return Descs{ListOf(
            storage_.descriptors, [] { return MakeDescriptor(); }, 1)};
      case PduType::kControlReq:
        break;
    }
    return Error{};
  }

 private:
  template <typename T, typename Item>
  List<T> ListOf(std::deque<std::vector<T>>& owner, Item&& item, std::size_t least = 0) {
    std::vector<T> items;
    for (std::size_t left = Size(least); left > 0; --left) items.push_back(item());
    return owner.emplace_back(std::move(items));
  }

  std::string_view Text() { return storage_.texts.emplace_back(Any<std::string>()); }

  List<Pmid> Pmids() {
    return ListOf(
        storage_.pmids, [] { return Pmid{Word()}; }, 1);
  }

  static Descriptor MakeDescriptor() {
    return {Pmid{Word()}, static_cast<MetricType>(Number()), Indom{Word()},
            static_cast<Semantics>(Number()), Units{Word()}};
  }

  static Credential MakeCredential() {
    return {Any<std::uint8_t>(), {Any<std::uint8_t>(), Any<std::uint8_t>(), Any<std::uint8_t>()}};
  }

  // In the extended form only codes of PCP and negated errno numbers (PDU-051).
  static Error MakeError() {
    if (Any<bool>()) return {static_cast<ErrorCode>(Number()), std::nullopt};
    const std::int32_t code =
        *rc::gen::oneOf(rc::gen::inRange(-999, 100), rc::gen::inRange(-22000, -12344),
                        rc::gen::element(INT32_MIN, -12345, -999, INT32_MAX));
    return {static_cast<ErrorCode>(code), Word()};
  }

  ProfileEntry Entry() { return {Indom{Word()}, Number(), ListOf(storage_.numbers, Number)}; }

  PmnsNames MakeNames() {
    const bool has_status = Any<bool>();
    const List<PmnsName> names = ListOf(storage_.names, [&] {
      const std::string& text = storage_.texts.emplace_back(*rc::gen::nonEmpty<std::string>());
      return PmnsName{text, has_status ? Number() : kLeaf};
    });
    return {has_status && !names.empty(), names};
  }

  LabelSet MakeLabelSet() {
    const std::string_view json = Text();
    if (Any<bool>()) return {Number(), Failure(), json, {}};
    const auto entry = [&] {
      LabelEntry label;
      const auto within = [](std::size_t size) { return *rc::gen::inRange<std::size_t>(0, size); };
      label.name_offset = static_cast<std::uint16_t>(within(json.size() + 1));
      label.name_length = static_cast<std::uint8_t>(
          within(std::min<std::size_t>(json.size() - label.name_offset, kMaxLabelNameSize) + 1));
      label.flags = Any<std::uint8_t>();
      label.value_offset = static_cast<std::uint16_t>(within(json.size() + 1));
      label.value_length = static_cast<std::uint16_t>(within(json.size() - label.value_offset + 1));
      return label;
    };
    return {Number(), ErrorCode::kOk, json, ListOf(storage_.labels, entry)};
  }

  // A value of a format; the other members stay as the decoder leaves them.
  InstanceValue MakeValue(ValueFormat format) {
    InstanceValue value = {.instance = Number()};
    if (format == ValueFormat::kInsitu) {
      value.word = Word();
      return value;
    }
    value.type =
        static_cast<MetricType>(*rc::gen::oneOf(rc::gen::inRange(0, 11), rc::gen::inRange(0, 256)));
    auto& body = storage_.bodies.emplace_back(Any<std::vector<std::uint8_t>>());
    // Records, but none in them: what is in them is the business of another test.
    if (IsEvent(value.type)) body.assign(4, 0);
    value.body = body;
    return value;
  }

  ValueSet MakeSet() {
    const Pmid pmid{Word()};
    if (Any<bool>()) return {.pmid = pmid, .status = Any<bool>() ? ErrorCode::kOk : Failure()};
    const auto format = static_cast<ValueFormat>(*rc::gen::inRange(0, 3));
    return {.pmid = pmid,
            .format = format,
            .values = ListOf(
                storage_.values, [&] { return MakeValue(format); }, 1)};
  }

  List<ValueSet> Sets() {
    return ListOf(storage_.value_sets, [&] { return MakeSet(); });
  }

  PduStorage& storage_;
};

}  // namespace

Pdu ArbitraryPdu(PduType type, PduStorage* storage) {
  return {Number(), Maker(storage).Make(type)};
}

}  // namespace pmproof::pdu
