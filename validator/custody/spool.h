// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CUSTODY_SPOOL_H_
#define PMPROOF_VALIDATOR_CUSTODY_SPOOL_H_

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "reference/core/status.h"

namespace pmproof::validator {

// Text that is written now and read once later, in a file that has no name: whatever ends the
// program, nothing of it is left. A resource.
class Spool {
 public:
  // In `directory`, on whose disk there is room for it.
  static Result<Spool> Create(const std::string& directory);
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) = delete;
  ~Spool();

  // After the first error, which error() gives, nothing more is written.
  void Add(std::string_view text);
  const std::optional<Status>& error() const { return error_; }

  // Writes all that was added. Returns why that could not be read again, if so.
  std::optional<Status> CopyTo(std::ostream& out);

 private:
  Spool(int descriptor, std::string directory);
  void Flush();
  void Fail(int error);

  int descriptor_;
  std::string directory_;
  std::string held_;
  std::optional<Status> error_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CUSTODY_SPOOL_H_
