// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_PDU_TESTING_VECTOR_FILE_H_
#define PMPROOF_REFERENCE_PMDA_PDU_TESTING_VECTOR_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The test vectors of vectors/README.md.

namespace pmproof::pdu {

// One of the lines that say what a reader makes of a vector.
struct Expectation {
  char kind = 0;                        // '=' meaning, '!' refused, '~' overlooked
  std::vector<std::string> versions{};  // empty: all
  std::string text{};                   // what follows

  bool AppliesTo(std::string_view version) const;
};

struct TestVector {
  std::string id{};  // "18.2/1"
  std::string title{};
  std::vector<std::uint8_t> bytes{};  // one PDU or several
  std::vector<Expectation> expectations{};

  // The texts of one kind for one version.
  std::vector<std::string> Texts(char kind, std::string_view version) const;
};

// All vectors, in the order of the specification. Stops the program at a line that it cannot read.
std::vector<TestVector> LoadTestVectors();

}  // namespace pmproof::pdu

#endif  // PMPROOF_REFERENCE_PMDA_PDU_TESTING_VECTOR_FILE_H_
