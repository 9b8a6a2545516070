// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_SIDE_H_
#define PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_SIDE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/core/timestamp.h"
#include "reference/derived/dialect.h"
#include "validator/cli/environment.h"
#include "validator/rules_diff/comparison.h"
#include "validator/testee/client/adapter.h"

// Who says what definitions mean: the language of one version, or an implementation.

namespace pmproof::validator {

struct DerivedQuestion {
  std::vector<std::string> paths;  // of an archive, or of a set
  std::string configuration;       // the text of a configuration file
  std::vector<std::string> names;  // of the definitions in it
  Timestamp start;                 // records from there on
  std::uint64_t records = 0;
};

// What one definition means in an archive.
struct DefinitionMeaning {
  std::string error;       // "PM_ERR_NAME": it is refused, or does not bind; empty: it has the rest
  std::string descriptor;  // "type u64, semantics counter, indom 60.1, units byte"
  // By the number of the record and the instance; of the metric as a whole at the least number:
  // "PM_ERR_...".
  std::map<std::pair<std::uint64_t, std::int64_t>, std::string> values;
  std::map<std::uint64_t, std::string> times;  // of the records

  // But for `times`.
  bool Equals(const DefinitionMeaning& other) const {
    return error == other.error && descriptor == other.descriptor && values == other.values;
  }
};

struct DerivedAnswer {
  std::vector<DefinitionMeaning> definitions;  // by the names
  std::vector<std::string> diagnostics;        // "[F:12] Error: ...": what is said of the lines
};

// A resource, used by one thread.
class DerivedSide {
 public:
  DerivedSide() = default;
  DerivedSide(const DerivedSide&) = delete;
  DerivedSide& operator=(const DerivedSide&) = delete;
  virtual ~DerivedSide() = default;

  // Null for an implementation.
  virtual const derived::Dialect* dialect() const { return nullptr; }

  tl::expected<DerivedAnswer, NotAnswered> Ask(const DerivedQuestion& question);

 protected:
  // The line of an answer to the line of a request, both without their ends.
  virtual tl::expected<std::string, NotAnswered> Run(const std::string& request) = 0;
};

// The reference in some dialect, which it keeps. The others outlive it.
std::unique_ptr<DerivedSide> MakeDialectSide(const derived::Dialect& dialect,
                                             const archive::Storage& storage,
                                             const ProfileList& profiles);
// An implementation that has started, asked by derive.parse and derive.eval.
std::unique_ptr<DerivedSide> MakeImplementationSide(Adapter adapter);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DERIVED_DIFF_DERIVED_SIDE_H_
