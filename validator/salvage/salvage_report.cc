// SPDX-License-Identifier: Apache-2.0
#include "validator/salvage/salvage_report.h"

namespace pmproof::validator {

const char* ToText(Loss::Kind kind) {
  switch (kind) {
    case Loss::Kind::kBytes:
      return "bytes";
    case Loss::Kind::kRecords:
      return "records";
    case Loss::Kind::kMarks:
      return "marks";
    case Loss::Kind::kValues:
      return "values";
    case Loss::Kind::kMetadata:
      return "metadata";
    case Loss::Kind::kLabel:
      return "label";
    case Loss::Kind::kFile:
      return "file";
  }
  return "";
}

const char* ToText(SalvageReport::Outcome outcome) {
  switch (outcome) {
    case SalvageReport::Outcome::kWhole:
      return "whole";
    case SalvageReport::Outcome::kSaved:
      return "saved";
    case SalvageReport::Outcome::kNothing:
      return "nothing";
  }
  return "";
}

}  // namespace pmproof::validator
