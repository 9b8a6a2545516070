#include "validator/text/json_values.h"

#include "reference/archive/layout.h"

namespace pmproof::validator {
namespace {

const char* KindText(Status::Kind kind) {
  switch (kind) {
    case Status::Kind::kNotFound:
      return "not_found";
    case Status::Kind::kUnreadable:
      return "unreadable";
    case Status::Kind::kNotAnArchive:
      return "not_an_archive";
    case Status::Kind::kDamaged:
      return "damaged";
    case Status::Kind::kUnsupported:
      return "unsupported";
    case Status::Kind::kBudget:
      return "budget";
    case Status::Kind::kUsage:
      return "usage";
  }
  return "?";
}

}  // namespace

std::string DumpJson(const Json& json, int indent) {
  return json.dump(indent, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

std::string PartText(std::int32_t part) {
  switch (part) {
    case archive::kWholeArchive:
      return "archive";
    case archive::kMetaPart:
      return "meta";
    case archive::kIndexPart:
      return "index";
    default:
      return std::to_string(part);
  }
}

Json StatusJson(const Status& status) {
  return {{"kind", KindText(status.kind)},
          {"file", status.file},
          {"offset", status.offset ? Json(*status.offset) : Json(nullptr)},
          {"rule", status.clause.empty() ? Json(nullptr) : Json(status.clause.ToString())},
          {"message", status.message}};
}

}  // namespace pmproof::validator
