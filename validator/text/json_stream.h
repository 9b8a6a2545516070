// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_JSON_STREAM_H_
#define PMPROOF_VALIDATOR_TEXT_JSON_STREAM_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "reference/core/bytes.h"
#include "reference/core/status.h"

// JSON documents of any length, from anybody, read in bounded memory.

namespace pmproof::validator {

// Who is told what a document says. Places are named by their pattern: "" the document,
// "predicate.archives" a member, "predicate.archives[]" any element. Each function returns what is
// wrong, or "", and reading ends at the first that is wrong.
class JsonConsumer {
 public:
  virtual ~JsonConsumer() = default;

  // Whether the members of this object, or the elements of this array, are to be told one by one.
  // All else is told as one value.
  virtual bool IsStreamed(std::string_view pattern, bool is_array) const = 0;

  // Around what is streamed. `offset` is that of its first byte.
  virtual std::string OnBegin(std::string_view pattern, std::uint64_t offset) = 0;
  virtual std::string OnEnd(std::string_view pattern, std::uint64_t offset) = 0;

  // A value. Its strings are as they stand there (see FromJsonString).
  virtual std::string OnValue(std::string_view pattern, const nlohmann::json& value,
                              std::uint64_t offset) = 0;
};

struct JsonLimits {
  std::size_t value = std::size_t{1} << 20;  // bytes of one value, or of blanks
  int depth = 16;
  std::size_t members = 256;  // of a streamed object
};

// Reads a document. Error: kDamaged, with `name` as file, the offset and the member, for what is
// not JSON, exceeds a limit or has a member twice, and for what the consumer calls wrong.
std::optional<Status> ReadJson(Bytes document, const std::string& name, JsonConsumer& consumer,
                               const JsonLimits& limits = {});

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_JSON_STREAM_H_
