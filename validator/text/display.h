// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_DISPLAY_H_
#define PMPROOF_VALIDATOR_TEXT_DISPLAY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Names, labels and texts of an archive may hold any bytes (ARC-002). What is shown of them goes
// through one of these.

namespace pmproof::validator {

// UTF-8 that a terminal or page shows as it is read: foreign characters
// (reference/core/printable.h) become "\n", "\x1b", "\u202e". Nothing is cut and backslashes stay:
// values in findings went through pmproof::Printable before.
std::string Displayable(std::string_view bytes);

// Displayable() with & < > " ' as references: for HTML, and for content and attributes of XML 1.0.
std::string Markup(std::string_view bytes);

// A path as the path of a URI reference (RFC 3986): all but unreserved characters and '/' are
// percent-encoded. An absolute path becomes "file:///...".
std::string PathToUri(std::string_view path);

// The number of characters of `text` (code points; all else that a terminal does is not
// considered).
std::size_t Columns(std::string_view text);

// Breaks `text` at blanks into lines of at most `width` columns; each line but the first begins
// with `indent` blanks. Words that are longer stand alone. A newline in `text` starts a new line.
// No newline at the end.
std::string Wrap(std::string_view text, std::size_t width, std::size_t indent);

// "1 error", "2 errors".
std::string Plural(std::uint64_t count, std::string_view singular);

// "812 bytes", "12.3 MB": powers of 1000.
std::string ByteSize(std::uint64_t bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_DISPLAY_H_
