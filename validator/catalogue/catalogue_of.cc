// SPDX-License-Identifier: Apache-2.0
#include "validator/catalogue/catalogue_of.h"

#include <xxhash.h>

#include <array>
#include <cstdio>

namespace pmproof::validator {

std::string DigestOf(std::span<const CatalogueFile> files) {
  XXH64_hash_t digest = 0;
  for (const CatalogueFile& file : files) {
    if (!file.IsSchema()) digest = XXH64(file.content.data(), file.content.size(), digest);
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(digest));
  return text.data();
}

tl::unexpected<Status> BrokenCatalogue(std::string_view path, const std::string& message) {
  Status status;
  status.kind = Status::Kind::kDamaged;
  status.file = path;
  status.message = message;
  return tl::unexpected(std::move(status));
}

}  // namespace pmproof::validator
