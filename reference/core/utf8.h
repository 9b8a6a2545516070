// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_UTF8_H_
#define PMPROOF_REFERENCE_CORE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace pmproof {

// The bytes of the character at the start of `text`: 1..4, or 0 if `text` is empty or does not
// start with a well-formed UTF-8 sequence (overlong forms, surrogates and values above U+10FFFF are
// none).
std::size_t Utf8CharacterSize(std::string_view text);

// The position of the first byte that is not part of a well-formed character; text.size() if all
// is.
std::size_t FirstInvalidUtf8(std::string_view text);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_UTF8_H_
