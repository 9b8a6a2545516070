// SPDX-License-Identifier: Apache-2.0
#include "validator/testee/reject_class.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pmproof::validator {
namespace {

struct OfClause {
  Clause clause;
  std::string_view error_class;
};

constexpr std::array kByClause = {
    OfClause{"ARC-307"_clause, "metadata.descriptors_differ"},
    OfClause{"ARC-523"_clause, "metadata.record"},
    OfClause{"ARC-1001"_clause, "files.no_metadata"},
    OfClause{"ARC-1002"_clause, "files.no_volume"},
    OfClause{"ARC-1004"_clause, "files.empty"},
    OfClause{"ARC-1005"_clause, "files.only_label"},
    OfClause{"ARC-1009"_clause, "files.compression"},
    OfClause{"ARC-1011"_clause, "files.volume_name"},
    OfClause{"ARC-1016"_clause, "files.unreadable"},
    OfClause{"ARC-1101"_clause, "record.length"},
    OfClause{"ARC-1102"_clause, "record.beyond_end"},
    OfClause{"ARC-1103"_clause, "record.no_trailer"},
    OfClause{"ARC-1104"_clause, "record.trailer"},
    OfClause{"ARC-1107"_clause, "record.zeros"},
    OfClause{"ARC-1109"_clause, "record.short"},
    OfClause{"ARC-1201"_clause, "label.length"},
    OfClause{"ARC-1202"_clause, "label.trailer"},
    OfClause{"ARC-1203"_clause, "label.magic"},
    OfClause{"ARC-1204"_clause, "label.version"},
    OfClause{"ARC-1205"_clause, "label.versions_differ"},
    OfClause{"ARC-1206"_clause, "label.volume"},
    OfClause{"ARC-1207"_clause, "label.pid"},
    OfClause{"ARC-1208"_clause, "label.host"},
    OfClause{"ARC-1301"_clause, "metadata.record_type"},
    OfClause{"ARC-1601"_clause, "metadata.text_type"},
    OfClause{"ARC-1602"_clause, "metadata.text_type"},
};

struct OfCode {
  ErrorCode code;
  std::string_view error_class;
};

// Of a set (ARC-551, ARC-553).
constexpr std::array kByCode = {
    OfCode{ErrorCode::kLogHost, "set.host"},
    OfCode{ErrorCode::kLogOverlap, "set.overlap"},
    OfCode{ErrorCode::kLogChangeType, "set.type"},
    OfCode{ErrorCode::kLogChangeSemantics, "set.semantics"},
    OfCode{ErrorCode::kLogChangeIndom, "set.indom"},
    OfCode{ErrorCode::kLogChangeUnits, "set.units"},
};

std::string_view ClassOf(const Status& status) {
  const auto of_clause = std::ranges::find(kByClause, status.clause, &OfClause::clause);
  if (of_clause != kByClause.end()) return of_clause->error_class;
  const auto of_code = std::ranges::find(kByCode, status.code, &OfCode::code);
  if (of_code != kByCode.end()) return of_code->error_class;
  switch (status.kind) {
    case Status::Kind::kNotFound:
      return "files.not_found";
    case Status::Kind::kUnreadable:
      return "files.unreadable";
    case Status::Kind::kNotAnArchive:
      return "files.no_archive";
    case Status::Kind::kDamaged:
    case Status::Kind::kUnsupported:
    case Status::Kind::kBudget:
    case Status::Kind::kUsage:
      break;
  }
  return "damaged";
}

}  // namespace

Reject RejectOf(const Status& status) { return {std::string(ClassOf(status)), status.offset}; }

Outcome OutcomeOf(const Status& status) {
  switch (status.kind) {
    case Status::Kind::kUnsupported:
      return Skip{status.ToText()};
    case Status::Kind::kBudget:
    case Status::Kind::kUsage:
      return Failure{status.ToText()};
    case Status::Kind::kNotFound:
    case Status::Kind::kUnreadable:
    case Status::Kind::kNotAnArchive:
    case Status::Kind::kDamaged:
      break;
  }
  return RejectOf(status);
}

}  // namespace pmproof::validator
