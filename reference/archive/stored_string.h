// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_ARCHIVE_STORED_STRING_H_
#define PMPROOF_REFERENCE_ARCHIVE_STORED_STRING_H_

#include <cstddef>
#include <string_view>

namespace pmproof::archive {

// A string of the string table of an instance domain (ARC-342, ARC-002): up to its NUL, or to the
// end of the table.
struct StoredString {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t bad_end = 0;  // after the last malformed byte or control character; 0: there is none
  std::size_t hidden_end = 0;  // after the lead of the last other character of ARC-002; 0: none
  bool has_blank = false;
};

// Reads the string that begins there, each byte once.
StoredString ScanString(std::string_view table, std::size_t begin);

// What has to differ between the names of a domain (ARC-343).
inline std::string_view UpToBlank(std::string_view name) { return name.substr(0, name.find(' ')); }

}  // namespace pmproof::archive

#endif  // PMPROOF_REFERENCE_ARCHIVE_STORED_STRING_H_
