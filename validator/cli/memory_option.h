// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_MEMORY_OPTION_H_
#define PMPROOF_VALIDATOR_CLI_MEMORY_OPTION_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "reference/archive/memory_budget.h"
#include "validator/cli/options.h"

namespace pmproof::validator {

// What the process may take. A value.
class MemoryLimit {
 public:
  // None: the system has its own.
  MemoryLimit() = default;
  // Of `bytes`, and no more than the system allows now. Nothing is enforced yet.
  explicit MemoryLimit(std::uint64_t bytes);

  // Has the operating system refuse what the process takes beyond it; then allocation fails.
  void Enforce() const;

  // Enforces it anew, with room for what is kept of so many archives until all have been read. That
  // room is not taken away again.
  void EnforceFor(std::size_t archives) const;

 private:
  std::uint64_t bytes_ = kNone;
  std::uint64_t of_system_ = kNone;

  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
};

// --memory, the same for all commands that read archives or other large inputs. Where more is
// needed, the exit status is 6.
class MemoryOption {
 public:
  enum class Of : std::uint8_t {
    kCommand,      // all that the command does
    kEachArchive,  // several archives are read at a time, each with that much
  };

  explicit MemoryOption(Of of = Of::kCommand)
      : MemoryOption(of, of == Of::kCommand ? archive::MemoryBudget::kDefault : kOfEachArchive) {}
  MemoryOption(Of of, std::uint64_t bytes) : of_(of), bytes_(bytes) {}

  // This outlives `options`. `more` is a sentence about this command, or "".
  void Declare(Options& options, const char* more = "");

  archive::MemoryBudget budget() const { return archive::MemoryBudget(bytes_); }
  std::string Text() const;  // "512M"

  // Of the whole process, on up to `jobs` threads. None under sanitizers, which take memory of
  // their own.
  MemoryLimit LimitOf(unsigned jobs) const;

 private:
  static constexpr std::uint64_t kOfEachArchive = std::uint64_t{128} << 20;

  Of of_;
  std::uint64_t bytes_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_MEMORY_OPTION_H_
