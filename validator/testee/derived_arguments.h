// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_DERIVED_ARGUMENTS_H_
#define PMPROOF_VALIDATOR_TESTEE_DERIVED_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/archive/storage.h"
#include "reference/derived/controls.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/registry.h"
#include "validator/testee/request_reader.h"

// Derived metrics as requests define them: what derive.parse and derive.eval have in common.

namespace pmproof::validator {

struct DefinitionArgument {
  std::string name;
  std::string expression;
  bool per_context = false;
};

// Of a configuration: the text of a file, which has no name; or files in folders, and which of them
// are loaded (DER-301).
struct ConfigurationArgument {
  std::string text;
  std::optional<std::string> path;
  archive::MemoryStorage files;
};

struct DerivedArguments {
  std::vector<DefinitionArgument> definitions;
  std::optional<ConfigurationArgument> config;
  bool missing_is_novalue = false;
  const derived::Dialect* dialect = &derived::kV72;
};

// From args.KEY, args.config, args.missing_is_novalue and args.dialect. `usual`: the dialect where
// the request names none; null is 7.2.2.
DerivedArguments TakeDerived(RequestReader* reader, const char* key,
                             const derived::Dialect* usual = nullptr);

// Derived metrics of one context, defined as a request says: the configuration is loaded, then the
// definitions of all contexts are taken, then those of this one (DER-212). A resource: not copied.
class DefinedMetrics {
 public:
  // `metrics`: those of the context that are not derived; it outlives this. `opened`: of an
  // archive, which PCP opens before it takes definitions (DER-208).
  DefinedMetrics(const DerivedArguments& arguments, const derived::OperandSource& metrics,
                 bool opened);
  DefinedMetrics(const DefinedMetrics&) = delete;
  DefinedMetrics& operator=(const DefinedMetrics&) = delete;

  derived::DerivedContext& context() { return *context_; }
  // Of each definition why it was refused, or nothing.
  const std::vector<std::optional<derived::RegistrationError>>& refusals() const {
    return refusals_;
  }
  // Of the configuration: DER-302, and the lines that PCP prints, a file without a name being F.
  std::int64_t registered() const { return registered_; }
  const std::vector<std::string>& diagnostics() const { return diagnostics_; }

 private:
  void Load(const ConfigurationArgument& config, derived::Controls* controls);

  derived::Registry registry_;
  std::optional<derived::DerivedContext> context_;
  std::vector<std::optional<derived::RegistrationError>> refusals_;
  std::int64_t registered_ = 0;
  std::vector<std::string> diagnostics_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_DERIVED_ARGUMENTS_H_
