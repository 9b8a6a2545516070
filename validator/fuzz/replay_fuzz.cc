// SPDX-License-Identifier: Apache-2.0
#include "validator/fuzz/replay_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pmproof::validator::ReplayInput(data, size);
  return 0;
}
