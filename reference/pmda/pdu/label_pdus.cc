// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/label_pdus.h"

#include <algorithm>

#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kLabelReqSize = 20;
constexpr std::size_t kSets = 28;       // offset
constexpr std::size_t kSetHeader = 16;  // inst, nlabels, json, jsonlen
constexpr std::size_t kEntry = 8;       // bytes of a label

// The bytes of the header of a set and its labels.
std::size_t SetSize(std::size_t labels) { return kSetHeader + kEntry * labels; }

// Where the sets end; fills nothing. `labels` is the sum of their labels.
tl::expected<std::size_t, PduError> FindEndOfSets(const Reader& in, std::size_t sets,
                                                  std::size_t* labels) {
  std::size_t at = kSets;
  *labels = 0;
  for (std::size_t i = 0; i < sets; ++i) {
    if (in.size() - at < kSetHeader) return Fault("PDU-073"_clause, at, "inst", "does not fit");
    const auto count = static_cast<std::size_t>(std::max(in.I32(at + 4), 0));
    if (count > kMaxLabels) return Fault("PDU-074"_clause, at + 4, "nlabels", "is above 254");
    if (in.size() - at < SetSize(count)) {
      return Fault("PDU-073"_clause, at + 4, "nlabels", "labels do not fit");
    }
    at += SetSize(count);
    *labels += count;
  }
  return at;
}

// name offset u16, name length u8, flags u8, value offset u16, value length u16
LabelEntry LoadEntry(const std::uint8_t* p) {
  return {LoadU16(p), p[2], p[3], LoadU16(p + 4), LoadU16(p + 6)};
}

// Whether name and value are inside the first `size` bytes from the start of their text.
bool IsInside(const LabelEntry& entry, std::size_t size) {
  return std::size_t{entry.name_offset} + entry.name_length <= size &&
         std::size_t{entry.value_offset} + entry.value_length <= size;
}

// The set at `at`, whose header and labels are inside the PDU.
Outcome ReadSet(Reader& in, std::size_t at, LabelSet* set) {
  const std::int32_t count = in.I32(at + 4);
  const std::int32_t json = in.I32(at + 8);
  const std::int32_t length = in.I32(at + 12);
  if (json < static_cast<std::int32_t>(kSets) || static_cast<std::size_t>(json) > in.size()) {
    return Fault("PDU-074"_clause, at + 8, "json", "is not inside the PDU");
  }
  const std::size_t left = in.size() - static_cast<std::size_t>(json);
  if (length < 0 || static_cast<std::size_t>(length) > kMaxLabelJson ||
      static_cast<std::size_t>(length) > left) {
    return Fault("PDU-074"_clause, at + 12, "jsonlen", "is above 65534 or not inside the PDU");
  }
  set->instance = in.I32(at);
  set->status = static_cast<ErrorCode>(std::min(count, 0));
  set->json = in.Text(static_cast<std::size_t>(json), static_cast<std::size_t>(length));

  auto& labels = in.lists.labels;
  const std::size_t first = labels.size();
  for (std::int32_t i = 0; i < count; ++i) {
    const std::size_t entry_at = at + SetSize(static_cast<std::size_t>(i));
    const LabelEntry entry = LoadEntry(in.At(entry_at));
    if (entry.name_length > kMaxLabelNameSize) {
      return Fault("PDU-074"_clause, entry_at + 2, "name length", "is above 254");
    }
    if (!IsInside(entry, set->json.size())) {
      if (!in.strictness.label_may_leave_its_text || !IsInside(entry, left)) {
        return Fault("PDU-074"_clause, entry_at, "label", "is not inside its JSON text");
      }
      in.Overlook(Departure::kLabelTexts);
    }
    labels.push_back(entry);
  }
  set->labels = std::span(labels).subspan(first);
  return {};
}

}  // namespace

// ident u32 @12, type i32 @16
Outcome Read(Reader& in, LabelReq* pdu) {
  if (in.size() < kLabelReqSize) return Fault("PMD-091"_clause, 0, "len", "is below 20");
  if (in.size() > kLabelReqSize && !in.strictness.long_label_req_taken) {
    return Fault("PMD-091"_clause, 0, "len", "is above 20");
  }
  in.Rest(kLabelReqSize);
  *pdu = {in.U32(12), in.U32(16)};
  return {};
}

Outcome Write(const LabelReq& pdu, Writer& out) {
  return out.Begin(PduType::kLabelReq, kLabelReqSize).map([&] {
    out.U32(pdu.identifier);
    out.U32(pdu.type);
  });
}

// ident u32 @12, type i32 @16, pad @20, nsets i32 @24; nsets x { inst i32, nlabels i32,
// json i32: offset in the PDU, jsonlen i32, nlabels x label } @28; then the JSON texts, not padded
Outcome Read(Reader& in, Label* pdu) {
  if (in.size() < kSets) return Fault("PDU-073"_clause, 0, "len", "is below 28");
  const std::size_t count = in.U32(24);
  if (count > (in.size() - kSets) / kSetHeader) {
    return Fault("PDU-073"_clause, 24, "nsets", "sets do not fit");
  }
  in.Unused(20, 4);
  std::size_t label_count = 0;
  const auto end_of_sets = FindEndOfSets(in, count, &label_count);
  if (!end_of_sets) return tl::make_unexpected(end_of_sets.error());

  in.lists.labels.clear();
  in.lists.labels.reserve(label_count);
  in.lists.label_sets.resize(count);
  std::size_t at = kSets;
  std::size_t text_at = *end_of_sets;
  std::size_t last_end = *end_of_sets;
  for (LabelSet& set : in.lists.label_sets) {
    if (const Outcome outcome = ReadSet(in, at, &set); !outcome) return outcome;
    const std::size_t json = in.U32(at + 8);
    if (json != text_at) in.Overlook(Departure::kLabelTexts);
    text_at += set.json.size();
    last_end = json + set.json.size();
    at += SetSize(set.labels.size());
  }
  if (count > 0 && in.size() > Padded(last_end) && !in.strictness.long_label_taken) {
    return Fault("PDU-074"_clause, Padded(last_end), "JSON", "is followed by bytes");
  }
  in.Rest(text_at);
  pdu->identifier = in.U32(12);
  pdu->type = in.U32(16);
  pdu->sets = in.lists.label_sets;
  return {};
}

Outcome Write(const Label& pdu, Writer& out) {
  std::size_t at = kSets;
  std::size_t texts = 0;
  for (const LabelSet& set : pdu.sets) {
    if (set.labels.size() > kMaxLabels) {
      return Fault("PDU-074"_clause, at + 4, "nlabels", "is above 254");
    }
    if (static_cast<std::int32_t>(set.status) > 0 ||
        (set.status != ErrorCode::kOk && !set.labels.empty())) {
      return Fault("PDU-073"_clause, at + 4, "nlabels", "is not an error code, or has labels");
    }
    if (set.json.size() > kMaxLabelJson) {
      return Fault("PDU-074"_clause, at + 12, "jsonlen", "is above 65534");
    }
    std::size_t label_at = at + kSetHeader;
    for (const LabelEntry& entry : set.labels) {
      if (entry.name_length > kMaxLabelNameSize) {
        return Fault("PDU-074"_clause, label_at + 2, "name length", "is above 254");
      }
      if (!IsInside(entry, set.json.size())) {
        return Fault("PDU-074"_clause, label_at, "label", "is not inside its JSON text");
      }
      label_at += kEntry;
    }
    at += SetSize(set.labels.size());
    texts += set.json.size();
  }
  return out.Begin(PduType::kLabel, at + texts).map([&] {
    out.U32(pdu.identifier);
    out.U32(pdu.type);
    out.U32(0);
    out.Count(pdu.sets.size());
    std::size_t json = at;
    for (const LabelSet& set : pdu.sets) {
      out.I32(set.instance);
      if (set.labels.empty()) {
        out.I32(static_cast<std::int32_t>(set.status));
      } else {
        out.Count(set.labels.size());
      }
      out.Count(json);
      out.Count(set.json.size());
      for (const LabelEntry& entry : set.labels) {
        out.U16(entry.name_offset);
        out.U8(entry.name_length);
        out.U8(entry.flags);
        out.U16(entry.value_offset);
        out.U16(entry.value_length);
      }
      json += set.json.size();
    }
    for (const LabelSet& set : pdu.sets) out.Raw(set.json);
  });
}

}  // namespace pmproof::pdu
