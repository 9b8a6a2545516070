// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DOCTOR_SURROUNDINGS_H_
#define PMPROOF_VALIDATOR_DOCTOR_SURROUNDINGS_H_

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pmproof::validator {

// The machine, as far as the environment of this process shows it. A value.
struct Surroundings {
  std::vector<std::string> path;             // folders of PATH
  std::string home;                          // empty: not known
  std::string peers;                         // PMPROOF_PEERS; empty: not set
  std::string program;                       // this executable; empty: not known
  std::string zones;                         // where the tz database is
  std::chrono::milliseconds patience{5000};  // with each program that is started

  static Surroundings OfThisProcess();

  // The first executable file of that name in `path`. Empty if there is none.
  std::string Find(const std::string& name) const;
};

// What a program printed, on both of its streams.
struct Printed {
  std::string output;
  std::string error;
};

// Runs it with PATH, HOME and LC_ALL=C alone. Nothing where it does not start, does not end within
// the patience, or ends with another status than 0. Of what it prints a few kilobytes are kept;
// nothing that it started outlives this.
std::optional<Printed> RunBriefly(const Surroundings& surroundings,
                                  const std::vector<std::string>& words);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_DOCTOR_SURROUNDINGS_H_
