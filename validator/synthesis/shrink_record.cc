// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/shrink_record.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reference/archive/decode_model.h"
#include "reference/archive/model.h"
#include "validator/synthesis/shrink_damaged.h"
#include "validator/synthesis/shrink_labels.h"
#include "validator/synthesis/shrink_list.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using archive::kLengthWord;

// Long strings are not shrunk byte by byte; what becomes shorter is looked at again.
constexpr std::size_t kPieces = 256;
std::size_t LeastOf(std::size_t size) { return std::max<std::size_t>(1, size / kPieces); }

// A model that is replaced by smaller ones as long as they are accepted.
template <typename Model>
class Shrinking {
 public:
  Shrinking(Model model, int version, const Attempt& attempt)
      : model_(std::move(model)), version_(version), attempt_(attempt) {}

  const Model& model() const { return model_; }
  const Over& over() const { return attempt_.over; }

  bool Try(Model candidate) {
    Buffer bytes;
    Append(candidate, &bytes);
    if (!attempt_(std::move(bytes))) return false;
    model_ = std::move(candidate);
    return true;
  }

  // Shrinks a list or a text; `of` gives it of a model.
  template <typename Of>
  void List(Of&& of) {
    const std::size_t size = of(model_).size();
    ShrinkList(size, LeastOf(size), over(), [&](std::size_t begin, std::size_t end) {
      Model candidate = model_;
      of(candidate) = Without(of(model_), begin, end);
      return Try(std::move(candidate));
    });
  }

 private:
  void Append(const archive::ResultModel& result, Buffer* out) const {
    archive::AppendResult(result, version_, out);
  }
  void Append(const archive::MetaRecordModel& record, Buffer* out) const {
    archive::AppendMetaRecord(record, version_, out);
  }

  Model model_;
  int version_;
  const Attempt& attempt_;
};

bool IsBlock(const archive::ValueModel& value) {
  return std::holds_alternative<archive::BlockModel>(value.value);
}

// The record without the values that `goes` names by set and position; the blocks that are left
// keep their order (ARC-208).
template <typename Goes>
archive::ResultModel WithoutValues(const archive::ResultModel& result, Goes&& goes) {
  archive::ResultModel rest = result;
  std::vector<std::optional<std::uint32_t>> numbers;  // new ones, by old ones
  std::uint32_t next = 0;
  for (std::size_t s = 0; s < result.sets.size(); ++s) {
    rest.sets[s].values.clear();
    for (std::size_t v = 0; v < result.sets[s].values.size(); ++v) {
      const archive::ValueModel& value = result.sets[s].values[v];
      const bool gone = goes(s, v);
      if (!gone) rest.sets[s].values.push_back(value);
      if (!IsBlock(value)) continue;
      numbers.push_back(gone ? std::nullopt : std::optional(next));
      next += gone ? 0 : 1;
    }
  }
  rest.block_order.clear();
  for (const std::uint32_t block : result.block_order) {
    if (block < numbers.size() && numbers[block]) rest.block_order.push_back(*numbers[block]);
  }
  return rest;
}

void ShrinkResult(archive::ResultModel model, int version, const Attempt& attempt) {
  Shrinking<archive::ResultModel> shrinking(std::move(model), version, attempt);
  const archive::ResultModel& result = shrinking.model();
  const auto inside = [](std::size_t at, std::size_t begin, std::size_t end) {
    return at >= begin && at < end;
  };
  ShrinkList(result.sets.size(), 1, attempt.over, [&](std::size_t begin, std::size_t end) {
    archive::ResultModel rest = WithoutValues(
        result, [&](std::size_t set, std::size_t) { return inside(set, begin, end); });
    rest.sets = Without(rest.sets, begin, end);
    return shrinking.Try(std::move(rest));
  });
  for (std::size_t s = 0; s < result.sets.size(); ++s) {
    ShrinkList(
        result.sets[s].values.size(), 1, attempt.over, [&](std::size_t begin, std::size_t end) {
          return shrinking.Try(WithoutValues(result, [&](std::size_t set, std::size_t value) {
            return set == s && inside(value, begin, end);
          }));
        });
    for (std::size_t v = 0; v < result.sets[s].values.size(); ++v) {
      if (!IsBlock(result.sets[s].values[v])) continue;
      shrinking.List([s, v](archive::ResultModel& of) -> std::string& {
        return std::get<archive::BlockModel>(of.sets[s].values[v].value).payload;
      });
    }
  }
}

// What of a metadata record can be left out.
class MetaShrinker {
 public:
  MetaShrinker(const archive::MetaRecordModel& model, int version, const Attempt& attempt)
      : shrinking_(model, version, attempt) {}

  void Run() {
    std::visit([this](const auto& record) { Shrink(record); },
               archive::MetaRecordModel(shrinking_.model()));
  }

 private:
  // `Record` is what the record is; `of` gives a list or text of it.
  template <typename Record, typename Of>
  void List(Of&& of) {
    shrinking_.List([&](auto& model) -> auto& { return of(std::get<Record>(model)); });
  }
  template <typename Record>
  const Record& Now() const {
    return std::get<Record>(shrinking_.model());
  }

  void Shrink(const archive::DescModel&) {
    List<archive::DescModel>([](auto& desc) -> auto& { return desc.names; });
    for (std::size_t i = 0; i < Now<archive::DescModel>().names.size(); ++i)
      List<archive::DescModel>([i](auto& desc) -> auto& { return desc.names[i]; });
  }

  void Shrink(const archive::IndomModel&) {
    List<archive::IndomModel>([](auto& indom) -> auto& { return indom.instances; });
    for (std::size_t i = 0; i < Now<archive::IndomModel>().instances.size(); ++i) {
      if (!Now<archive::IndomModel>().instances[i].name) continue;
      List<archive::IndomModel>([i](auto& indom) -> auto& { return *indom.instances[i].name; });
    }
  }

  void Shrink(const archive::LabelRecordModel&) {
    using Labels = archive::LabelRecordModel;
    List<Labels>([](auto& labels) -> auto& { return labels.sets; });
    for (std::size_t i = 0; i < Now<Labels>().sets.size(); ++i) {
      ShrinkLabelSet(
          archive::LabelSetModel(Now<Labels>().sets[i]),
          [&](archive::LabelSetModel set) {
            Labels labels = Now<Labels>();
            labels.sets[i] = std::move(set);
            return shrinking_.Try(std::move(labels));
          },
          shrinking_.over());
    }
  }

  void Shrink(const archive::TextModel&) {
    List<archive::TextModel>([](auto& text) -> auto& { return text.text; });
  }

  void Shrink(const archive::RawRecordModel&) {
    List<archive::RawRecordModel>([](auto& raw) -> auto& { return raw.payload; });
  }

  Shrinking<archive::MetaRecordModel> shrinking_;
};

// Bytes that are not a record, or one that cannot be decoded. `lengths` is the number of length
// words that follow the size: both of a framed record, the first of one that is cut, or none.
// Returns what is left.
Buffer ShrinkBytes(Buffer now, bool data, std::size_t lengths, const Attempt& attempt) {
  const std::size_t frame = lengths * kLengthWord;
  if (now.size() < frame) return now;
  const std::size_t first = std::min(frame, kLengthWord);
  const std::size_t unit = data && lengths > 0 ? 4 : 1;  // ARC-1106
  const std::size_t units = (now.size() - frame) / unit;
  ShrinkList(units, LeastOf(units), attempt.over, [&](std::size_t begin, std::size_t end) {
    Buffer candidate = Without(now, first + begin * unit, first + end * unit);
    const auto removed = static_cast<std::uint32_t>((end - begin) * unit);
    if (lengths > 0) StoreU32(candidate.data(), LoadU32(now.data()) - removed);
    if (lengths > 1) {
      std::uint8_t* const trailer = candidate.data() + candidate.size() - kLengthWord;
      StoreU32(trailer, LoadU32(trailer) - removed);
    }
    if (!attempt(candidate)) return false;
    now = std::move(candidate);
    return true;
  });
  return now;
}

archive::RecordView ViewOf(const Chunk& chunk, archive::Part part) {
  return {chunk.bytes, chunk.begin, 0, part};
}

// Sets the numbers of one set to 0; false if they are already.
bool SetToZero(archive::ValueSetModel* set) {
  bool any = false;
  for (archive::ValueModel& value : set->values) {
    if (auto* word = std::get_if<std::uint32_t>(&value.value)) {
      any = any || *word != 0;
      *word = 0;
      continue;
    }
    std::string& payload = std::get<archive::BlockModel>(value.value).payload;
    if (payload.size() != 4 && payload.size() != 8) continue;
    any = any || std::ranges::any_of(payload, [](char c) { return c != 0; });
    payload.assign(payload.size(), '\0');
  }
  return any;
}

}  // namespace

void ShrinkChunk(const Chunk& chunk, archive::Part part, int version, bool last,
                 const Attempt& attempt) {
  if (chunk.kind == Chunk::Kind::kLabel || chunk.kind == Chunk::Kind::kEntry) return;
  if (chunk.kind == Chunk::Kind::kRecord && version != 0) {
    archive::RecordDecoder decoder(version, "");
    if (part == archive::kMetaPart) {
      if (const auto meta = decoder.DecodeMeta(ViewOf(chunk, part), last))
        return MetaShrinker(*meta, version, attempt).Run();
    } else if (auto result = decoder.DecodeResult(ViewOf(chunk, part))) {
      return ShrinkResult(*std::move(result), version, attempt);
    }
  }
  Buffer bytes(chunk.bytes.begin(), chunk.bytes.end());
  if (chunk.kind == Chunk::Kind::kRecord) {
    if (part >= 0 && version != 0) bytes = ShrinkDamagedRecord(std::move(bytes), version, attempt);
    ShrinkBytes(std::move(bytes), part >= 0, 2, attempt);
  } else {
    ShrinkBytes(ShrinkBytes(std::move(bytes), part >= 0, 0, attempt), part >= 0, 1, attempt);
  }
}

void SimplifyRecord(const Chunk& chunk, int version, const Attempt& attempt) {
  if (chunk.kind != Chunk::Kind::kRecord || version == 0) return;
  archive::RecordDecoder decoder(version, "");
  const auto decoded = decoder.DecodeResult(ViewOf(chunk, 0));
  if (!decoded) return;
  Shrinking<archive::ResultModel> shrinking(*decoded, version, attempt);
  archive::ResultModel zeros = *decoded;
  bool any = false;
  for (archive::ValueSetModel& set : zeros.sets) any = SetToZero(&set) || any;
  if (!any || shrinking.Try(std::move(zeros)) || decoded->sets.size() < 2) return;
  for (std::size_t i = 0; i < decoded->sets.size(); ++i) {
    archive::ResultModel candidate = shrinking.model();
    if (SetToZero(&candidate.sets[i])) shrinking.Try(std::move(candidate));
  }
}

}  // namespace pmproof::validator
