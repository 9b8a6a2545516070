// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DOCTOR_DOCTOR_H_
#define PMPROOF_VALIDATOR_DOCTOR_DOCTOR_H_

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "validator/doctor/surroundings.h"
#include "validator/text/terminal.h"

// What is installed beside pmproof, what that is needed for, and how to get the rest. Archives,
// agents and collectors are checked without any of it.

namespace pmproof::validator {

// Something that is no part of pmproof's executable.
struct Companion {
  const char* id = "";      // "pcp-tools"
  const char* name = "";    // "PCP's tools"
  const char* serves = "";  // what needs it
  const char* get = "";     // how to install it
  bool there = false;
  std::string detail{};  // its version and place; or why it does not count
};

struct DoctorReport {
  std::string program{};
  std::string rules{};                    // digest of the catalogue
  std::optional<std::string> settings{};  // the pmproof.toml that holds here
  std::vector<Companion> companions{};
};

// All companions that are known, in the order in which they are shown. Starts programs that are
// found, to ask for their version.
std::vector<Companion> LookAround(const Surroundings& surroundings);

void RenderDoctorText(const DoctorReport& report, const Screen& screen, std::ostream& out);
void RenderDoctorJson(const DoctorReport& report, std::ostream& out);  // pmproof-doctor/1

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DOCTOR_DOCTOR_H_
