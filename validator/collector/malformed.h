// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_MALFORMED_H_
#define PMPROOF_VALIDATOR_COLLECTOR_MALFORMED_H_

#include <string>
#include <vector>

#include "validator/collector/requests.h"

// Malformed PDUs of section 18.7, by number.

namespace pmproof::validator::collector {

struct Malformed {
  std::string what;
  Octets bytes;
};

std::vector<Malformed> MalformedProfiles();  // CKC-012
std::vector<Malformed> MalformedFetches();   // CKC-020
std::vector<Malformed> MalformedStores();    // CKC-039: the list of CKA-147
std::vector<Malformed> UnexpectedPdus();     // CKC-040
std::vector<Malformed> BrokenFrames();       // CKC-041
std::vector<Malformed> WrongLengths();       // CKC-043

// That versions before 6.3.1 overlook (CKC-044).
std::vector<Malformed> OddLengths();

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_MALFORMED_H_
