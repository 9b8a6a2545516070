// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_BISECT_ARCHIVE_QUESTIONS_H_
#define PMPROOF_VALIDATOR_BISECT_ARCHIVE_QUESTIONS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "validator/bisect/question.h"

namespace pmproof::validator {

// One archive, several times, each time with a few of its metrics: some of each semantics, of
// numbers and of strings, with and without instances. `named`: only those, or what is below them;
// empty: any. Errors: those of opening it and of RecordLog::Load(); kUsage where no metric is left.
// `storage` outlives what comes back.
Result<std::vector<std::shared_ptr<const QuestionArchive>>> MetricsToAsk(
    const archive::Storage& storage, const std::string& path, const std::vector<std::string>& named,
    std::size_t memory);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_BISECT_ARCHIVE_QUESTIONS_H_
