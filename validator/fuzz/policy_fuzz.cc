// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "validator/policy/policy.h"

// Any bytes as a policy: an error that names the file, or entries that have lines of the file and
// can be told in words.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pmproof::validator::Catalogue;
  namespace policy = pmproof::validator::policy;
  static const auto catalogue = Catalogue::Shipped();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = policy::ParsePolicy(text, "p.toml", catalogue);
  if (!read) {
    if (read.error().file != "p.toml" || read.error().message.empty()) std::abort();
    return 0;
  }
  std::uint64_t lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  for (const policy::Reclassify& entry : read->reclassify) {
    if (entry.line == 0 || entry.line > lines || policy::Describe(entry).empty()) std::abort();
  }
  for (const policy::Require& entry : read->require) {
    if (entry.line == 0 || entry.line > lines || policy::Describe(entry).empty()) std::abort();
  }
  return 0;
}
