// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_LABEL_JSON_H_
#define PMPROOF_REFERENCE_ARCHIVE_LABEL_JSON_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/archive/label_values.h"

// The JSON text of one label set (ARC-393, MET-901..906): where its labels are. A library's parser
// gives neither offsets nor duplicate names, and both are what the entries of a set are held
// against.

namespace pmproof::archive {

// One label: an innermost name and its value (MET-905). Offsets count from the start of the JSON;
// the name is without its quotes, the value is complete (ARC-394).
struct JsonLabel {
  std::uint32_t name_offset = 0;
  std::uint32_t name_length = 0;
  std::uint32_t value_offset = 0;
  std::uint32_t value_length = 0;
  std::uint32_t outer_offset = 0;  // the outermost name above it; only where it is nested
  std::uint32_t outer_length = 0;
  std::uint32_t depth = 1;  // objects around it

  bool nested() const { return depth > 1; }
  std::string_view Name(std::string_view json) const {
    return json.substr(name_offset, name_length);
  }
  std::string_view Outer(std::string_view json) const {
    return nested() ? json.substr(outer_offset, outer_length) : std::string_view();
  }
};

struct JsonScan {
  struct Error {
    std::size_t offset = 0;
    const char* message = "";
  };
  std::optional<Error> error;        // no single, well-formed JSON object in UTF-8
  std::optional<std::size_t> blank;  // the first blank outside strings: the text is not compact
  std::optional<std::size_t> outer_name;  // a name that has labels below it and is not a label name
  std::optional<std::size_t> number;      // the first one that a double does not hold
  std::optional<OddCharacter> character;  // the first odd one of a value
  std::size_t count = 0;                  // labels
  bool has_nested = false;                // among them
};

// Scans `json` and stores its labels in the order of the text, as far as `labels` has room; the
// count goes on. The text is at most 65535 bytes (ARC-398). Linear, without allocation.
//
// An empty object is a label's value; so is an array, unless it contains objects with labels.
JsonScan ScanLabelJson(std::string_view json, std::span<JsonLabel> labels);

// One or more letters, digits and underscores, at most 254 (ARC-393, MET-902).
bool IsLabelName(std::string_view name);

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_LABEL_JSON_H_
