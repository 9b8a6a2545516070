// SPDX-License-Identifier: Apache-2.0
// Hands each file named on the command line to a libFuzzer target, once. Used where libFuzzer
// itself is not linked.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    std::printf("%s: %zu bytes\n", argv[i], bytes.size());
    std::fflush(stdout);  // a crash must not swallow the name of its input
    // A copy of exactly this size: the sanitizers then see one byte too far.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%d inputs, no crash\n", argc - 1);
  return 0;
}
