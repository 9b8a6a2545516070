// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/error_watch.h"

#include <utility>

namespace pmproof::validator {

void ErrorWatch::Clear() {
  errors_.clear();
  overflowed_ = false;
}

bool ErrorWatch::Count(Clause rule, const archive::Location& where, archive::Gravity gravity) {
  static_cast<void>(where);
  bool counts = false;
  switch (gravity) {
    case archive::Gravity::kAsCatalogued: {
      const Rule* known = catalogue_.Find(rule);
      counts = known == nullptr || known->severity >= Severity::kError;
      break;
    }
    case archive::Gravity::kFatal:
    case archive::Gravity::kError:
      counts = true;
      break;
    case archive::Gravity::kWarning:
    case archive::Gravity::kInfo:
      break;
  }
  if (!counts) return false;
  if (errors_.size() < most_) return true;
  overflowed_ = true;
  return false;
}

void ErrorWatch::Keep(Clause rule, const archive::Location& where, archive::Gravity gravity,
                      archive::Details details) {
  static_cast<void>(gravity);
  errors_.push_back({rule, where, Sentence(std::move(details))});
}

std::string Sentence(archive::Details details) {
  std::string text = std::move(details.message);
  if (!details.actual.empty() && !details.field.empty()) {
    text += " (" + details.field + " " + details.actual + ")";
  }
  return text;
}

}  // namespace pmproof::validator
