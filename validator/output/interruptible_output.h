// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_OUTPUT_INTERRUPTIBLE_OUTPUT_H_
#define PMPROOF_VALIDATOR_OUTPUT_INTERRUPTIBLE_OUTPUT_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "reference/archive/output_storage.h"

namespace pmproof::validator {

// Another output storage, in which nothing more can be created or written after `stop` said so:
// the writer meets an error as on a full disk, and removes what is not complete. Renaming and
// removing go on, so that what was begun there ends.
class InterruptibleOutput final : public archive::OutputStorage {
 public:
  InterruptibleOutput(std::unique_ptr<archive::OutputStorage> storage, std::function<bool()> stop)
      : storage_(std::move(storage)), stop_(std::move(stop)) {}

  Result<std::unique_ptr<archive::OutputFile>> Create(const std::string& path) override;
  std::optional<Status> Rename(const std::string& from, const std::string& to) override;
  std::optional<Status> Replace(const std::string& from, const std::string& to) override;
  std::optional<Status> Remove(const std::string& path) override;

 private:
  std::unique_ptr<archive::OutputStorage> storage_;
  std::function<bool()> stop_;
};

// What a writer reports that was interrupted.
Status Interrupted();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_OUTPUT_INTERRUPTIBLE_OUTPUT_H_
