// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_H_
#define PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/timestamp.h"

// What a tool of PCP says, whatever its layout: records of the schema pmproof-tool-output/1. Values
// have the shape of a line of `replay --format jsonl`, so that both can be compared.

namespace pmproof::validator::tool_output {

// One of a record's list: a value, an instance, a parameter of an event, a bin. A value.
struct Item {
  bool has_instance = false;  // the number of the instance is known, or that there is none
  std::optional<std::int64_t> instance;  // nothing: singular
  std::optional<std::string> name;
  bool cut = false;             // the name fills its column and may go on
  bool altered = false;         // delimiters, quotes and newlines were replaced (OUT-731, OUT-732)
  std::string delimiter = ",";  // what `altered` replaced (OUT-734)
  bool removed = false;         // this instance is gone (OUT-406)
  std::string metric;           // of a parameter
  std::string pmid;
  std::string type;                  // as docs/formats.md writes it, where it is known
  std::optional<std::string> value;  // nothing: `state` stands for it
  // What stands in place of a value: "decreased" (`!`), "too wide" (`xxx`), an event array in
  // short; beside a value: "cut", a text that fills its column.
  std::string state;
  std::string within;  // how far the printed number may be from the value; empty: exact
};

// A member of the object that has no meaning of its own here: its JSON text.
struct Attribute {
  std::string name;
  std::string json;
  bool local = false;  // a time of the tool's zone, not yet of UTC (OUT-108)
};

struct Record {
  std::size_t line = 0;  // the first one of it, from 1
  std::string kind;      // empty: values
  bool has_time = false;
  std::optional<Timestamp> time;  // nothing: none was printed, or its day is not known
  std::string clock;              // the time of day, where the day is not known
  bool local = false;             // `time` is of the tool's zone, not yet of UTC (OUT-108)
  unsigned digits = 9;            // of the second: cut, not rounded (OUT-103)
  std::string metric;
  std::vector<std::string> names;  // more than one: all names of the metric
  bool abbreviated = false;        // OUT-712
  bool rate = false;               // values are rates of a counter
  double factor = 1;               // OUT-217: the difference was divided by seconds * factor
  bool has_status = false;
  std::optional<std::int32_t> status;  // nothing: a text of no known code
  std::string message;
  std::vector<Attribute> attributes;
  std::string list;  // "values", "instances", ...; empty: there is no list
  std::vector<Item> items;

  // The time of a record that was printed once for several.
  void TakeTimeOf(const Record& other) {
    has_time = other.has_time;
    time = other.time;
    clock = other.clock;
    local = other.local;
    digits = other.digits;
  }

  const Attribute* Find(std::string_view name) const {
    for (const Attribute& attribute : attributes) {
      if (attribute.name == name) return &attribute;
    }
    return nullptr;
  }
};

using Sink = std::function<void(Record&&)>;

}  // namespace pmproof::validator::tool_output

#endif  // PMPROOF_VALIDATOR_TOOL_OUTPUT_RECORD_H_
