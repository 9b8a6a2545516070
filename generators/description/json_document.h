// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_DESCRIPTION_JSON_DOCUMENT_H_
#define PMPROOF_GENERATORS_DESCRIPTION_JSON_DOCUMENT_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reference/core/status.h"

// JSON from strangers. For sources that read it: slow to compile.

namespace pmproof::generators {

using Json = nlohmann::ordered_json;  // members in the order of the text

// The most that is read: bytes of a text, and objects and lists inside each other.
inline constexpr std::size_t kMostText = std::size_t{4} << 20;
inline constexpr std::size_t kMostDepth = 16;

// Errors: kUsage with the offset, for what is not JSON, is larger than that, or has a member twice.
Result<Json> ParseDocument(std::string_view text);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_DESCRIPTION_JSON_DOCUMENT_H_
