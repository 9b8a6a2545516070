// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_REGISTRY_H_
#define PMPROOF_REFERENCE_DERIVED_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/derived/dialect.h"
#include "reference/derived/parse.h"

// Names and identifiers of derived metrics (DER section 2).

namespace pmproof::derived {

struct Definition {
  std::string name;
  Pmid pmid;
  std::shared_ptr<const Expression> expression;
  std::optional<std::string> oneline{};  // DER-308, 309
  std::optional<std::string> helptext{};
};
using DefinitionPointer = std::shared_ptr<const Definition>;

// Why a definition was not taken. A value.
struct RegistrationError {
  enum class Stage : std::uint8_t {
    kName,    // DER-203, 405, section 9: the name is taken, there are too many
    kSyntax,  // the expression is none
    kBudget,  // the expression is more than ParseLimits allow
    kBind,    // it does not bind where it was added (DER-206)
  };

  Stage stage = Stage::kName;
  std::int64_t position = 0;  // kSyntax: as SyntaxError's; else 0
  std::string message{};      // PCP's words; may be empty
  Clause clause{};
  std::string where{};  // kBind (DER-709)
};

// The definitions of one scope: of all contexts, or of one. A value.
class Registry {
 public:
  enum class Scope : std::uint8_t { kGlobal, kContext };

  // DER-208: a global registry of 7.2 begins with the event metrics.
  Registry(Scope scope, const Dialect& dialect);

  // Takes a definition if its syntax is right, whatever its name looks like (DER-202, 203, 205). A
  // definition that is not taken leaves nothing behind.
  tl::expected<DefinitionPointer, RegistrationError> Register(std::string_view name,
                                                              std::string_view text);
  // DER-210. False if there is no such name.
  bool Unregister(std::string_view name);

  // DER-208: before 7.2 when the first context is opened, or the first configuration file loaded.
  // They have help texts (DER-329).
  void RegisterEventMetrics();

  // DER-308. False if there is no such name, or the attribute was set before.
  bool SetOneLine(std::string_view name, std::string text);
  bool SetHelpText(std::string_view name, std::string text);

  // DER-405: of definitions by users; nothing: no limit.
  void set_limit(std::optional<std::size_t> limit) { limit_ = limit; }

  // Null if there is none.
  DefinitionPointer Find(std::string_view name) const;
  DefinitionPointer Find(Pmid pmid) const;
  // By name.
  const std::map<std::string, DefinitionPointer, std::less<>>& definitions() const {
    return by_name_;
  }

  const Dialect& dialect() const { return dialect_; }
  Scope scope() const { return scope_; }

 private:
  std::optional<RegistrationError> CheckName(std::string_view name) const;
  void AdvancePmid();
  bool SetAttribute(std::string_view name, std::optional<std::string> Definition::*attribute,
                    std::string text);

  Scope scope_;
  Dialect dialect_;
  std::optional<std::size_t> limit_;
  std::size_t count_ = 0;     // by users
  std::optional<Pmid> next_;  // nothing: exhausted
  bool event_metrics_ = false;
  std::map<std::string, DefinitionPointer, std::less<>> by_name_;
  std::map<Pmid, DefinitionPointer> by_pmid_;
};

// DER-202: what configuration files ask of a name.
bool IsConfigurationName(std::string_view name);

// The message of the calls "with message" (DER-216), ended by a newline.
enum class RegistrationCall : std::uint8_t { kRegister, kAdd };
std::string RegistrationMessage(RegistrationCall call, std::string_view name, std::string_view text,
                                const RegistrationError& error);

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_REGISTRY_H_
