// SPDX-License-Identifier: Apache-2.0
#include "validator/doctor/doctor.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator {

void RenderDoctorJson(const DoctorReport& report, std::ostream& out) {
  Json companions = Json::array();
  for (const Companion& companion : report.companions) {
    companions.push_back({{"id", companion.id},
                          {"name", companion.name},
                          {"there", companion.there},
                          {"detail", companion.detail},
                          {"serves", companion.serves},
                          {"get", companion.get}});
  }
  const Json document = {
      {"schema", "pmproof-doctor/1"},
      {"tool", {{"name", "pmproof"}, {"version", kVersion}, {"rules", report.rules}}},
      {"program", report.program},
      {"settings", report.settings ? Json(*report.settings) : Json(nullptr)},
      {"companions", std::move(companions)}};
  out << DumpJson(document, 2) << '\n';
}

}  // namespace pmproof::validator
