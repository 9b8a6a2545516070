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
// that a damaged archive can hold are as wide as on disk, so that wrong archives can be modelled too.

namespace pmproof::archive {

// Text fields are the bytes of the field as they stand, trailing NULs left out (ARC-102).
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
};

struct DescModel {
  Descriptor descriptor;
  std::vector<std::string> names;
};

// An absent name stands for "deleted" and occurs in deltas only (ARC-370).
struct InstanceModel {
  std::int32_t id = 0;
  std::optional<std::string> name;
};

struct IndomModel {
  Timestamp time;
  Indom indom;
  std::vector<InstanceModel> instances;
  bool delta = false;
};

// One entry of a label set (ARC-391): offsets are relative to the start of the set's JSON.
struct LabelEntryModel {
  std::uint16_t name_offset = 0;
  std::uint8_t name_length = 0;
  std::uint8_t flags = 0;
  std::uint16_t value_offset = 0;
  std::uint16_t value_length = 0;
};

// `error` is stored instead of the number of entries if negative (ARC-399).
struct LabelSetModel {
  std::int32_t instance = kInstanceNull;
  std::string json;
  std::vector<LabelEntryModel> entries;
  std::int32_t error = 0;
};

struct LabelRecordModel {
  Timestamp time;
  std::uint32_t label_class = 1;
  std::uint32_t identifier = 0xffffffff;
  std::vector<LabelSetModel> sets;
};

// The terminating NUL is not part of `text` and is added by the encoder (ARC-430).
struct TextModel {
  std::uint32_t type = 5;
  std::uint32_t identifier = 0;
  std::string text;
};

// A record whose payload is given as bytes; the encoder adds the length words.
struct RawRecordModel {
  std::string payload;
};

using MetaRecordModel = std::variant<DescModel, IndomModel, LabelRecordModel, TextModel, RawRecordModel>;

// A value block (ARC-230): `payload` without header and padding. `padding` replaces the canonical `~`
// bytes where it is given.
struct BlockModel {
  std::uint8_t type = 0;
  std::string payload;
  std::optional<std::string> padding;
};

struct ValueModel {
  std::int32_t instance = kInstanceNull;
  std::variant<std::uint32_t, BlockModel> value;  // insitu word | block
};

// `status` is stored instead of the number of values if there are none: 0 or an error code (ARC-202,
// ARC-203). `format` is 1 or 2 for blocks and 0 for insitu values (ARC-015).
struct ValueSetModel {
  Pmid pmid;
  std::int32_t format = 0;
  std::vector<ValueModel> values;
  std::int32_t status = 0;
};

// No value sets: a mark record (ARC-151).
struct ResultModel {
  Timestamp time;
  std::vector<ValueSetModel> sets;
};

struct IndexEntryModel {
  Timestamp time;
  std::int32_t volume = 0;
  std::uint64_t meta_offset = 0;
  std::uint64_t data_offset = 0;
};

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_MODEL_H_
