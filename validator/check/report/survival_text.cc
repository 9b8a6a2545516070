// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/survival_text.h"

#include "reference/core/timestamp.h"
#include "validator/text/display.h"

namespace pmproof::validator {

std::string SurvivesText(const Survival& survival) {
  const std::uint64_t readable = survival.readable;
  std::string text = survival.opens ? "" : "no reader opens the archive as it is; ";
  if (survival.total) {
    text += std::to_string(readable) + " of " + Plural(*survival.total, "record");
  } else {
    text += readable == 0 ? "no record" : Plural(readable, "record");
  }
  const bool one = readable <= 1 && !survival.total;
  text += survival.opens ? " can be read" : one ? " is whole" : " are whole";
  if (survival.until) text += ", up to " + ToIsoText(*survival.until);
  if (survival.behind > 0) {
    text += "; " + std::to_string(survival.behind) +
            (survival.behind == 1 ? " whole one stands" : " whole ones stand") +
            " after the first fault";
    if (survival.behind_from) text += ", from " + ToIsoText(*survival.behind_from);
  }
  if (survival.recorded_until) {
    text += "; the index knows of records up to " + ToIsoText(*survival.recorded_until);
  }
  return text;
}

std::string LostText(const Survival& survival) {
  std::string text;
  for (const Survival::Loss& loss : survival.lost) {
    text += (text.empty() ? "" : "; ") + loss.file + " from offset " + std::to_string(loss.offset);
    std::string extent = loss.length > 0 ? Plural(loss.length, "byte") : "";
    if (loss.records > 0) extent += (extent.empty() ? "" : ", ") + Plural(loss.records, "record");
    if (!extent.empty()) text += " (" + extent + ")";
  }
  if (survival.more_lost > 0) text += "; and " + Plural(survival.more_lost, "more place");
  return text;
}

std::string NextText(const Survival& survival) {
  std::string text;
  for (const std::string& step : survival.next) text += (text.empty() ? "" : "; ") + step;
  return text;
}

}  // namespace pmproof::validator
