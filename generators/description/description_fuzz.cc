// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "generators/description/description.h"

// Whatever stands in a description, it is refused or makes archives whose files are not empty.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto archives = pmproof::generators::ReadDescription(
      std::string_view(reinterpret_cast<const char*>(data), size));
  if (!archives) {
    if (archives.error().message.empty()) std::abort();
    return 0;
  }
  for (const pmproof::generators::DescribedArchive& archive : *archives) {
    if (!archive.Image().files.contains("meta")) std::abort();
  }
  return 0;
}
