// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

// The std::random_device of Debian 12's libstdc++ calls arc4random(), which glibc has from 2.36 on.
// No program here has a random_device, but gold asks for the symbol although it drops the code that
// calls it. With this one, which is seen by nothing outside, the programs run beside an older glibc
// too.
extern "C" __attribute__((visibility("hidden"))) std::uint32_t arc4random() noexcept {
  std::uint32_t random = 0;
  if (getentropy(&random, sizeof random) != 0) std::abort();
  return random;
}
