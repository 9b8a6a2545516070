// SPDX-License-Identifier: Apache-2.0
#include "validator/check/shortfall.h"

namespace pmproof::validator {

void Shortfall::NotChecked(std::string what, std::string because) {
  not_checked_.push_back({std::move(what), std::move(because)});
}

void Shortfall::Fail(const Status& status) {
  const auto is_budget = [](const Status& one) { return one.kind == Status::Kind::kBudget; };
  if (!failure_ || (is_budget(status) && !is_budget(*failure_))) failure_ = status;
}

void Shortfall::NoteEnd(archive::Part part, std::uint64_t offset,
                        const std::optional<Status>& error,
                        const std::optional<std::uint64_t>& lost) {
  if (lost) {
    NotChecked(files_.FileName(part) + " from offset " + std::to_string(*lost),
               "the framing of records is lost there");
  }
  if (!error) return;
  const std::uint64_t at = error->offset.value_or(offset);
  NotChecked(files_.FileName(part) + " from offset " + std::to_string(at), error->message);
  if (error->kind == Status::Kind::kBudget || error->kind == Status::Kind::kUnsupported) {
    Status failure = *error;
    if (failure.file.empty()) failure.file = files_.FileName(part);
    Fail(failure);
  } else if (error->clause == "ARC-1009"_clause) {
    reporter_.Report("ARC-1009"_clause, {part, at, 0, 0}, [&] {
      return archive::Details{"compressed data", "", "", error->message};
    });
  }
}

}  // namespace pmproof::validator
