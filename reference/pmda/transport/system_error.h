// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_SYSTEM_ERROR_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_SYSTEM_ERROR_H_

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "reference/core/status.h"

namespace pmproof::pmda {

// What the operating system refused, as "doing what: reason", with the negated errno number.
inline Status SystemError(std::string doing, int error) {
  Status::Kind kind = Status::Kind::kUnreadable;
  if (error == ENOENT) kind = Status::Kind::kNotFound;
  if (error == ETIMEDOUT) kind = Status::Kind::kBudget;
  if (error == ENAMETOOLONG) kind = Status::Kind::kUsage;
  return {.kind = kind,
          .message = std::move(doing) + ": " + std::generic_category().message(error),
          .code = static_cast<ErrorCode>(-error)};
}

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_SYSTEM_ERROR_H_
