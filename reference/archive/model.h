// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_MODEL_H_
#define PMPROOF_REFERENCE_ARCHIVE_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/core/timestamp.h"

// An archive as values that own what they hold: what the encoder turns into bytes (ARC-600). Fields
// that a damaged archive can hold are as wide as on disk, so that wrong archives can be modelled
// too.

namespace pmproof::archive {

// Text fields are the bytes of the field as they stand, trailing NULs left out (ARC-102).
// `fraction` is stored instead of that of `start` where it is given: a number of microseconds out
// of range, which a Timestamp cannot hold (ARC-003).
struct LabelModel {
  int version = 2;
  std::int32_t pid = 0;
  Timestamp start;
  std::int32_t volume = 0;
  std::uint32_t features = 0;
  std::uint32_t reserved = 0;
  std::string host;
  std::string timezone;
  std::string zoneinfo;
  std::optional<std::int32_t> fraction = std::nullopt;

  friend bool operator==(const LabelModel&, const LabelModel&) = default;
};

struct DescModel {
  Descriptor descriptor;
  std::vector<std::string> names;

  friend bool operator==(const DescModel&, const DescModel&) = default;
};

// An absent name stands for "deleted" and occurs in deltas only (ARC-370).
struct InstanceModel {
  std::int32_t id = 0;
  std::optional<std::string> name;

  friend bool operator==(const InstanceModel&, const InstanceModel&) = default;
};

struct IndomModel {
  Timestamp time;
  Indom indom;
  std::vector<InstanceModel> instances;
  bool delta = false;

  friend bool operator==(const IndomModel&, const IndomModel&) = default;
};

// One entry of a label set (ARC-391): offsets are relative to the start of the set's JSON.
struct LabelEntryModel {
  std::uint16_t name_offset = 0;
  std::uint8_t name_length = 0;
  std::uint8_t flags = 0;
  std::uint16_t value_offset = 0;
  std::uint16_t value_length = 0;

  friend bool operator==(const LabelEntryModel&, const LabelEntryModel&) = default;
};

// `error` is stored instead of the number of entries if negative (ARC-399).
struct LabelSetModel {
  std::int32_t instance = kInstanceNull;
  std::string json;
  std::vector<LabelEntryModel> entries;
  std::int32_t error = 0;

  friend bool operator==(const LabelSetModel&, const LabelSetModel&) = default;
};

struct LabelRecordModel {
  Timestamp time;
  std::uint32_t label_class = 1;
  std::uint32_t identifier = 0xffffffff;
  std::vector<LabelSetModel> sets;

  friend bool operator==(const LabelRecordModel&, const LabelRecordModel&) = default;
};

// The terminating NUL is not part of `text` and is added by the encoder (ARC-430).
struct TextModel {
  std::uint32_t type = 5;
  std::uint32_t identifier = 0;
  std::string text;

  friend bool operator==(const TextModel&, const TextModel&) = default;
};

// A record whose payload is given as bytes; the encoder adds the length words.
struct RawRecordModel {
  std::string payload;

  friend bool operator==(const RawRecordModel&, const RawRecordModel&) = default;
};

using MetaRecordModel =
    std::variant<DescModel, IndomModel, LabelRecordModel, TextModel, RawRecordModel>;

// A value block (ARC-230): `payload` without header and padding. `padding` replaces the canonical
// `~` bytes where it is given.
struct BlockModel {
  std::uint8_t type = 0;
  std::string payload;
  std::optional<std::string> padding;

  friend bool operator==(const BlockModel&, const BlockModel&) = default;
};

struct ValueModel {
  std::int32_t instance = kInstanceNull;
  std::variant<std::uint32_t, BlockModel> value;  // insitu word | block

  friend bool operator==(const ValueModel&, const ValueModel&) = default;
};

// `status` is stored instead of the number of values if there are none: 0 or an error code
// (ARC-202, ARC-203). `format` is 1 or 2 for blocks and 0 for insitu values (ARC-015).
struct ValueSetModel {
  Pmid pmid;
  std::int32_t format = 0;
  std::vector<ValueModel> values;
  std::int32_t status = 0;

  friend bool operator==(const ValueSetModel&, const ValueSetModel&) = default;
};

// No value sets: a mark record (ARC-151). `block_order` is empty where the blocks lie in order of
// reference (ARC-601); else it says which block lies at each place, the blocks being counted in
// order of reference from 0 (ARC-208). What is not a permutation means nothing. `fraction` as in
// LabelModel.
struct ResultModel {
  Timestamp time;
  std::vector<ValueSetModel> sets;
  std::vector<std::uint32_t> block_order = {};
  std::optional<std::int32_t> fraction = std::nullopt;

  friend bool operator==(const ResultModel&, const ResultModel&) = default;
};

// `fraction` as in LabelModel.
struct IndexEntryModel {
  Timestamp time;
  std::int32_t volume = 0;
  std::uint64_t meta_offset = 0;
  std::uint64_t data_offset = 0;
  std::optional<std::int32_t> fraction = std::nullopt;

  friend bool operator==(const IndexEntryModel&, const IndexEntryModel&) = default;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_MODEL_H_
