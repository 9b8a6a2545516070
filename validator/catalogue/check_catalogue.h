#ifndef PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_
#define PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"
#include "reference/core/status.h"
#include "validator/check/report/report.h"

// The checks of agents and collectors as data: what each says, how grave it is, why it matters and
// what to do. The data are validator/catalogue/checks/*.json, compiled into the program.

namespace pmproof::validator {

struct CheckEntry {
  Clause id{};
  std::string section{};  // of the specification: "16.1"
  std::string heading{};  // of the section: "Start and end"
  std::string title{};    // what must hold
  // F, E, W, I of the specification are fatal, error, warning, info.
  Severity severity = Severity::kError;
  // What a sound agent or collector, or a run, may lack, and the check cannot be made without:
  // "--store", "instances"; empty: nothing.
  std::string needs{};
  bool destroys = false;  // what is checked is lost where it fails: marked (d)
  std::vector<Clause> clauses{};
  std::string what{};
  std::string why{};
  std::string remedy{};

  // Nobody is called conformant without it (section 16 of reference/spec/pmda.md).
  bool required() const { return severity >= Severity::kError && needs.empty(); }
};

// A value; checks are ordered by identifier. References hold as long as the catalogue.
class CheckCatalogue {
 public:
  struct File {
    std::string_view path;
    std::string_view content;
  };

  // Error: kDamaged, with file and check, for data that are not as check.schema.json says.
  static Result<CheckCatalogue> FromJson(std::span<const File> files);

  // The checks that this program carries.
  static Result<CheckCatalogue> Shipped();

  const CheckEntry* Find(Clause id) const;  // null if there is none
  const std::vector<CheckEntry>& checks() const { return checks_; }

  // XXH64 of the files, 16 hexadecimal digits.
  const std::string& digest() const { return digest_; }

 private:
  std::vector<CheckEntry> checks_{};
  std::string digest_{};
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CATALOGUE_CHECK_CATALOGUE_H_
