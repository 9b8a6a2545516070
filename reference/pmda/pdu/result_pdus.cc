// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/pdu/result_pdus.h"

#include <algorithm>
#include <cstddef>

#include "reference/core/event_array.h"
#include "reference/pmda/pdu/coding.h"

namespace pmproof::pdu {
namespace {

constexpr std::size_t kSetHeader = 8;  // pmid, numval; valfmt only where there are values
constexpr std::size_t kPair = 8;       // inst, value
constexpr std::size_t kBlockHeader = 4;

// The offsets of a RESULT and of a HIGHRES_RESULT.
struct ResultLayout {
  PduType type;
  std::size_t npmid;
  std::size_t sets;
};
constexpr ResultLayout kResultLayout = {PduType::kResult, 20, 24};
constexpr ResultLayout kHighresLayout = {PduType::kHighresResult, 12, 32};

struct EndOfSets {
  std::size_t offset;
  std::size_t values;
};

// Judges the value sets themselves (PDU-100, PDU-101, PDU-107).
tl::expected<EndOfSets, PduError> FindEndOfSets(const Reader& in, const ResultLayout& layout,
                                                std::size_t sets) {
  EndOfSets end = {layout.sets, 0};
  for (std::size_t i = 0; i < sets; ++i) {
    const std::size_t at = end.offset;
    const std::size_t left = in.size() - at;
    if (left < kSetHeader) return Fault("PDU-107"_clause, at, "pmid", "value set does not fit");
    const std::int32_t numval = in.I32(at + 4);
    if (numval <= 0) {
      end.offset += kSetHeader;
      continue;
    }
    const auto count = static_cast<std::size_t>(numval);
    if (left < kSetHeader + 4 || count > (left - kSetHeader - 4) / kPair) {
      return Fault("PDU-107"_clause, at + 4, "numval", "values do not fit");
    }
    const std::int32_t format = in.I32(at + 8);
    if (format < 0 || format > static_cast<std::int32_t>(ValueFormat::kStatic)) {
      return Fault("PDU-101"_clause, at + 8, "valfmt", "is not 0, 1 or 2");
    }
    end.offset += kSetHeader + 4 + kPair * count;
    end.values += count;
  }
  return end;
}

// Every record and parameter is inside the block (PDU-174).
bool IsSoundEventArray(Bytes body, MetricType type) {
  EventArray events(body, type == MetricType::kHighresEvent);
  if (!events.record_count()) return false;
  while (events.NextRecord()) {
    while (const auto parameter = events.NextParameter()) {
      if (body.size() - parameter->offset < 8 + NumericSize(parameter->type)) return false;
    }
  }
  return !events.fault();
}

// Value blocks as they are met, and whether they fill what follows the value sets (PDU-106).
class Blocks {
 public:
  Blocks(Reader& in, std::size_t end_of_sets) : in_(in), begin_(end_of_sets), next_(end_of_sets) {
    in_.lists.blocks.clear();
  }

  // The block of the value whose pair is at `pair`.
  Outcome Read(std::size_t pair, InstanceValue* value) {
    const std::size_t at = std::size_t{in_.U32(pair + 4)} * 4;
    if (at < begin_ || at > in_.size() || in_.size() - at < kBlockHeader) {
      return Fault("PDU-107"_clause, pair + 4, "value", "block is not after the sets and inside");
    }
    const std::uint32_t header = in_.U32(at);
    const std::size_t length = header & 0xffffff;
    if (length < kBlockHeader || length > in_.size() - at) {
      return Fault("PDU-104"_clause, at, "vlen", "is below 4 or passes the end");
    }
    value->type = static_cast<MetricType>(header >> 24);
    const Bytes body = in_.Part(at + kBlockHeader, length - kBlockHeader);
    value->body = body;
    if (at != next_) in_order_ = false;
    next_ = at + Padded(length);
    in_.lists.blocks.push_back({at, next_});
    total_ += Padded(length);
    // Judged here and not at the end, so that values that share a block cannot have it walked
    // again and again.
    if (total_ > in_.size() - begin_) {
      return Fault("PDU-106"_clause, pair + 4, "value", "blocks are more than there are bytes");
    }
    in_.Padding(at, length);
    if (IsEvent(value->type) && !IsSoundEventArray(body, value->type)) {
      if (!in_.strictness.event_arrays_unchecked) {
        return Fault("PDU-174"_clause, at, "records", "leave the value block");
      }
      in_.Overlook(Departure::kEventRecords);
    }
    return {};
  }

  Outcome Finish() {
    if (begin_ + total_ != in_.size()) {
      return Fault("PDU-106"_clause, begin_, "blocks", "do not fill the PDU exactly");
    }
    if (in_order_) return {};
    auto& blocks = in_.lists.blocks;
    std::ranges::sort(blocks, {}, &DecodedLists::Extent::begin);
    if (blocks.front().begin != begin_) {
      return Fault("PDU-106"_clause, begin_, "blocks", "do not start after the value sets");
    }
    // Readers turn the head of a block round for each value: that of two makes no sense to them.
    const auto one = [](const auto& a, const auto& b) { return a.begin == b.begin; };
    if (const auto shared = std::ranges::adjacent_find(blocks, one); shared != blocks.end()) {
      return Fault("PDU-106"_clause, shared->begin, "block", "is of two values");
    }
    in_.Overlook(Departure::kBlockOrder);
    // Readers compare two sums only, so that a gap may make up for an overlap.
    const auto apart = [](const auto& a, const auto& b) { return a.end != b.begin; };
    if (std::ranges::adjacent_find(blocks, apart) != blocks.end()) {
      in_.Overlook(Departure::kBlockOverlap);
    }
    return {};
  }

 private:
  Reader& in_;
  std::size_t begin_;
  std::size_t next_;
  std::size_t total_ = 0;
  bool in_order_ = true;
};

Outcome ReadSets(Reader& in, const ResultLayout& layout, List<ValueSet>* out) {
  if (in.size() < layout.sets) return Fault("PDU-107"_clause, 0, "len", "is too small for npmid");
  const std::size_t count = in.U32(layout.npmid);
  if (count > (in.size() - layout.sets) / kSetHeader) {
    return Fault("PDU-107"_clause, layout.npmid, "npmid", "value sets do not fit");
  }
  const auto end = FindEndOfSets(in, layout, count);
  if (!end) return tl::make_unexpected(end.error());

  auto& sets = in.lists.value_sets;
  auto& values = in.lists.values;
  sets.resize(count);
  values.resize(end->values);
  Blocks blocks(in, end->offset);
  std::size_t at = layout.sets;
  std::size_t first = 0;
  for (ValueSet& set : sets) {
    const std::int32_t numval = in.I32(at + 4);
    set = {.pmid = Pmid{in.U32(at)}};
    if (numval <= 0) {
      set.status = static_cast<ErrorCode>(numval);
      at += kSetHeader;
      continue;
    }
    const auto number = static_cast<std::size_t>(numval);
    set.format = static_cast<ValueFormat>(in.I32(at + 8));
    at += kSetHeader + 4;
    for (std::size_t i = first; i < first + number; ++i, at += kPair) {
      values[i] = {.instance = in.I32(at)};
      if (set.format == ValueFormat::kInsitu) {
        values[i].word = in.U32(at + 4);
      } else if (const Outcome outcome = blocks.Read(at, &values[i]); !outcome) {
        return outcome;
      }
    }
    set.values = std::span(values).subspan(first, number);
    first += number;
  }
  *out = sets;
  return blocks.Finish();
}

// The bytes of the sets, and of the blocks, to be written.
struct Sizes {
  std::size_t sets = 0;
  std::size_t blocks = 0;
};

tl::expected<Sizes, PduError> Measure(const ResultLayout& layout, const List<ValueSet>& sets) {
  Sizes sizes;
  for (const ValueSet& set : sets) {
    const std::size_t at = layout.sets + sizes.sets;
    if (static_cast<std::int32_t>(set.status) > 0 ||
        (set.status != ErrorCode::kOk && !set.values.empty())) {
      return Fault("PDU-100"_clause, at + 4, "numval", "is not an error code, or has values");
    }
    if (set.values.empty()) {
      sizes.sets += kSetHeader;
      continue;
    }
    sizes.sets += kSetHeader + 4 + kPair * set.values.size();
  }
  for (const ValueSet& set : sets) {
    if (set.format == ValueFormat::kInsitu) continue;
    for (const InstanceValue& value : set.values) {
      const std::size_t at = layout.sets + sizes.sets + sizes.blocks;
      if (value.body.size() > kMaxBlockBody) {
        return Fault("PDU-104"_clause, at, "vlen", "is above 0xffffff");
      }
      const auto type = static_cast<std::int32_t>(value.type);
      if (type < 0 || type > 255) return Fault("PDU-104"_clause, at, "type", "is not 0 to 255");
      if (IsEvent(value.type) && !IsSoundEventArray(value.body, value.type)) {
        return Fault("PDU-174"_clause, at, "records", "leave the value block");
      }
      sizes.blocks += Padded(kBlockHeader + value.body.size());
    }
  }
  return sizes;
}

// `write_head` writes what is before the sets.
template <typename WriteHead>
Outcome WriteSets(const ResultLayout& layout, const List<ValueSet>& sets, Writer& out,
                  WriteHead&& write_head) {
  const auto sizes = Measure(layout, sets);
  if (!sizes) return tl::make_unexpected(sizes.error());
  const std::size_t end_of_sets = layout.sets + sizes->sets;
  return out.Begin(layout.type, end_of_sets + sizes->blocks).map([&] {
    write_head();
    std::size_t block = end_of_sets / 4;
    for (const ValueSet& set : sets) {
      out.U32(set.pmid.value);
      out.I32(set.numval());
      if (set.values.empty()) continue;
      out.I32(static_cast<std::int32_t>(set.format));
      for (const InstanceValue& value : set.values) {
        out.I32(value.instance);
        if (set.format == ValueFormat::kInsitu) {
          out.U32(value.word);
        } else {
          out.Count(block);
          block += Padded(kBlockHeader + value.body.size()) / 4;
        }
      }
    }
    for (const ValueSet& set : sets) {
      if (set.format == ValueFormat::kInsitu) continue;
      for (const InstanceValue& value : set.values) {
        out.U32(static_cast<std::uint32_t>(value.type) << 24 |
                static_cast<std::uint32_t>(kBlockHeader + value.body.size()));
        out.PaddedBytes(value.body);
      }
    }
  });
}

}  // namespace

// seconds i32 @12, microseconds i32 @16, npmid i32 @20, value sets @24, then value blocks
Outcome Read(Reader& in, Result* pdu) {
  if (const Outcome outcome = ReadSets(in, kResultLayout, &pdu->sets); !outcome) return outcome;
  pdu->seconds = in.I32(12);
  pdu->microseconds = in.I32(16);
  return {};
}

Outcome Write(const Result& pdu, Writer& out) {
  return WriteSets(kResultLayout, pdu.sets, out, [&] {
    out.I32(pdu.seconds);
    out.I32(pdu.microseconds);
    out.Count(pdu.sets.size());
  });
}

// npmid i32 @12, seconds i64 @16, nanoseconds i64 @24, value sets @32, then value blocks
Outcome Read(Reader& in, HighresResult* pdu) {
  if (const Outcome outcome = ReadSets(in, kHighresLayout, &pdu->sets); !outcome) return outcome;
  pdu->seconds = in.I64(16);
  pdu->nanoseconds = in.I64(24);
  return {};
}

Outcome Write(const HighresResult& pdu, Writer& out) {
  return WriteSets(kHighresLayout, pdu.sets, out, [&] {
    out.Count(pdu.sets.size());
    out.I64(pdu.seconds);
    out.I64(pdu.nanoseconds);
  });
}

std::optional<Value> ValueOf(const InstanceValue& value, ValueFormat format, MetricType type) {
  if (format == ValueFormat::kInsitu) {
    if (NumericSize(type) != 4) return std::nullopt;
    return Value{type, true, value.word};
  }
  if (value.type != type && static_cast<std::int32_t>(value.type) != 0) return std::nullopt;
  const std::uint32_t size = NumericSize(type);
  if (size == 0) return Value{type, false, 0, value.body};
  if (value.body.size() != size) return std::nullopt;
  return Value{type, false, size == 4 ? LoadU32(value.body.data()) : LoadU64(value.body.data())};
}

}  // namespace pmproof::pdu
