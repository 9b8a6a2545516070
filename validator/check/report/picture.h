// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_REPORT_PICTURE_H_
#define PMPROOF_VALIDATOR_CHECK_REPORT_PICTURE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/core/timestamp.h"

namespace pmproof::validator {

// What a page draws of an archive. A value; its size is bounded.
struct Picture {
  static constexpr std::size_t kMostFiles = 200;  // and as many volumes
  static constexpr std::size_t kMostMarks = 200;
  static constexpr std::size_t kMostBytes = 96;  // of an excerpt
  static constexpr std::size_t kBefore = 16;     // of them before the place

  struct File {
    std::string name;
    std::uint64_t bytes = 0;  // uncompressed, as far as it can be read
  };
  // The records of a data volume.
  struct Volume {
    std::string name;
    std::optional<Timestamp> first{};
    std::optional<Timestamp> last{};
    std::uint64_t records = 0;  // marks included
  };
  struct Mark {
    Timestamp at;
    std::optional<Timestamp> before;  // the record before it that is no mark
    std::optional<Timestamp> after;
  };
  // That a finding names.
  struct Place {
    std::int32_t part = 0;
    std::uint64_t offset = 0;
    std::uint64_t begin = 0;            // of `bytes` in the file
    std::vector<std::uint8_t> bytes{};  // around the place; empty where it is in no file
    std::optional<Timestamp> time{};    // of the data record that it is in
  };

  std::vector<File> files;      // by part
  std::vector<Volume> volumes;  // by number
  std::vector<Mark> marks;      // in their order
  std::uint64_t more_marks = 0;
  std::vector<Place> places;  // by part and offset, none twice
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_REPORT_PICTURE_H_
