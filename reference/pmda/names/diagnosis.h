// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_DIAGNOSIS_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_DIAGNOSIS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/core/clause.h"

namespace pmproof::pmda {

// What is wrong with a line of a text file. A value.
struct Diagnosis {
  enum class Severity : std::uint8_t {
    kError,    // PCP's program refuses the entry or the file too, or is not defined there
    kWarning,  // it is taken, and probably not what was meant
  };

  Severity severity = Severity::kError;
  std::string file{};    // as the user would name it
  std::size_t line = 0;  // from 1; 0 if the file as a whole is meant
  Clause clause{};
  std::string message{};

  // "FILE:12: message [PMD-305]"
  std::string ToText() const {
    std::string text = file;
    if (line != 0) text += ":" + std::to_string(line);
    if (!text.empty()) text += ": ";
    if (severity == Severity::kWarning) text += "warning: ";
    text += message;
    if (!clause.empty()) text += " [" + clause.ToString() + "]";
    return text;
  }

  friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

inline constexpr std::size_t kMostDiagnoses = 1000;

// Appends it; past kMostDiagnoses says once that there are more.
inline void AddDiagnosis(Diagnosis diagnosis, std::vector<Diagnosis>& to) {
  if (to.size() > kMostDiagnoses) return;
  if (to.size() == kMostDiagnoses) {
    diagnosis.clause = Clause();
    diagnosis.message = "this and further problems are not told";
  }
  to.push_back(std::move(diagnosis));
}

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_DIAGNOSIS_H_
