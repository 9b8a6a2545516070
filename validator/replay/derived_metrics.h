// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_REPLAY_DERIVED_METRICS_H_
#define PMPROOF_VALIDATOR_REPLAY_DERIVED_METRICS_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/derived/archive_operands.h"
#include "reference/derived/configuration.h"
#include "reference/derived/derived_context.h"
#include "reference/replay/replay_archive.h"
#include "validator/cli/environment.h"

namespace pmproof::validator {

// The derived metrics of a command, in the one context it has. A resource: the archive and the
// environment outlive it.
class DerivedMetrics {
 public:
  DerivedMetrics(const replay::ReplayArchive& archive, const derived::Dialect& dialect)
      : dialect_(dialect), registry_(derived::Registry::Scope::kGlobal, dialect), base_(archive) {
    registry_.RegisterEventMetrics();
  }
  DerivedMetrics(const DerivedMetrics&) = delete;
  DerivedMetrics& operator=(const DerivedMetrics&) = delete;

  // Registers what the files hold, then `definitions`, "NAME = EXPR", each of which has to bind.
  // Lines of files that are not taken are told and passed over, as PCP does (DER-310); so is what
  // does not bind there, when it is asked for. What ends the command is told and returned.
  std::optional<ExitStatus> Load(const std::vector<std::string>& files,
                                 const std::vector<std::string>& definitions,
                                 const Environment& environment);

  // Of the definitions, without those of files.
  const std::vector<std::string>& names() const { return names_; }
  const derived::Dialect& dialect() const { return dialect_; }
  // After Load().
  derived::DerivedContext* context() { return &*context_; }

 private:
  std::optional<ExitStatus> LoadFiles(const std::vector<std::string>& files,
                                      const Environment& environment);

  const derived::Dialect& dialect_;
  derived::Registry registry_;
  derived::Controls controls_;
  const derived::ArchiveOperands base_;
  std::optional<derived::DerivedContext> context_;
  std::vector<std::string> names_;
};

// DER-1133 and the like: by what a metric that is defined so has its values.
Clause EvaluationClause(const derived::Expression& expression);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_REPLAY_DERIVED_METRICS_H_
