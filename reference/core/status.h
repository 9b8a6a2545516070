// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_STATUS_H_
#define PMPROOF_REFERENCE_CORE_STATUS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "reference/core/clause.h"
#include "reference/core/error_code.h"

namespace pmproof {

// Why something could not be done. A value; `ToText` makes the one line a person reads.
struct Status {
  enum class Kind : std::uint8_t {
    kNotFound,      // no such file or archive
    kUnreadable,    // the operating system refused, or the file is not regular
    kNotAnArchive,  // nothing in the file says that it belongs to a PCP archive
    kDamaged,       // it is an archive, and the clause named is violated
    kUnsupported,   // a form that this program does not decode (said which)
    kBudget,        // a memory or size budget was exceeded: the verdict is unknown
    kUsage,         // the request makes no sense
  };

  Kind kind = Kind::kDamaged;
  std::string file{};                     // as the user would name it; empty if it concerns none
  std::optional<std::uint64_t> offset{};  // in bytes of the uncompressed file
  Clause clause{};                        // empty if no clause is concerned
  std::string message{};
  ErrorCode code = ErrorCode::kOk;  // what a PCP reader answers; kOk where that is not defined

  // "FILE: offset 132: message [ARC-083]"
  std::string ToText() const {
    std::string text = file;
    if (!text.empty()) text += ": ";
    if (offset) text += "offset " + std::to_string(*offset) + ": ";
    text += message;
    if (!clause.empty()) text += " [" + clause.ToString() + "]";
    return text;
  }
};

template <typename T>
using Result = tl::expected<T, Status>;

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_STATUS_H_
