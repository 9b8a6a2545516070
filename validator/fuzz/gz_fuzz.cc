// SPDX-License-Identifier: Apache-2.0
#include "validator/fuzz/check_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pmproof::validator::CheckWithFile("0.gz", data, size);
  return 0;
}
