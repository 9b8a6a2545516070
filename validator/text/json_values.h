// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "reference/core/status.h"

// What the JSON of all commands has in common. For sources that write JSON: slow to compile.

namespace pmproof::validator {

using Json = nlohmann::ordered_json;  // keys in the order they were added

// ASCII alone, which nothing takes for a line break or an escape sequence. Strings and keys may
// hold any bytes and are written as ToJsonString() has them. One line for a negative `indent`.
std::string DumpJson(const Json& json, int indent);

// A document that is too long to be held as a tree: objects and arrays are opened and closed, and
// what stands in them is written one value at a time. The text is that of DumpJson(document, 2).
class LongJson {
 public:
  // `out` outlives this.
  explicit LongJson(std::ostream& out) : out_(out) {}

  LongJson& Object() { return Open('{', '}'); }
  LongJson& Array() { return Open('[', ']'); }
  LongJson& Key(std::string_view key);  // ASCII without quotes and backslashes
  LongJson& Value(const Json& value);
  LongJson& Members(const Json& object);  // of the object that is open
  LongJson& Close();

 private:
  LongJson& Open(char begin, char end);
  void Separate();

  std::ostream& out_;
  std::string ends_;        // of what is open, the innermost last
  bool is_empty_ = true;    // nothing stands in the innermost yet
  bool is_member_ = false;  // a key has been written, and its value has not
};

// "archive", "meta", "index", or the number of the volume.
std::string PartText(std::int32_t part);

// {"kind", "file", "offset", "rule", "message"}
Json StatusJson(const Status& status);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_VALUES_H_
