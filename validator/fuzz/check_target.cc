// SPDX-License-Identifier: Apache-2.0
#include "validator/fuzz/check_target.h"

#include <cstdlib>

#include "generators/archive_image.h"
#include "validator/check/check.h"

namespace pmproof::validator {
namespace {

bool Same(const ArchiveReport& a, const ArchiveReport& b) {
  if (a.findings.size() != b.findings.size() || a.conformant != b.conformant ||
      a.readable != b.readable)
    return false;
  for (std::size_t i = 0; i < a.findings.size(); ++i) {
    if (a.findings[i].rule != b.findings[i].rule || a.findings[i].offset != b.findings[i].offset ||
        a.findings[i].count != b.findings[i].count ||
        a.findings[i].message != b.findings[i].message) {
      return false;
    }
  }
  return true;
}

}  // namespace

void CheckWithFile(const std::string& suffix, const std::uint8_t* data, std::size_t size) {
  if (size == 0) return;
  const int version = data[0] % 2 == 0 ? 2 : 3;
  archive::MemoryStorage storage;
  generators::Encode(generators::BaseArchive(version)).Store("base", &storage);
  storage.files.erase("base." + suffix.substr(0, suffix.find('.')));
  storage.files["base." + suffix].assign(data + 1, data + size);

  CheckOptions options;
  options.now = {1800000000, 0};
  options.expansion_base = std::uint64_t{1} << 20;
  const ArchiveReport serial = CheckArchive(storage, "base", Catalogue::Shipped(), options);
  options.jobs = 2;
  options.stretch = 64;
  const ArchiveReport parallel = CheckArchive(storage, "base", Catalogue::Shipped(), options);
  if (!serial.internal_errors.empty() || !Same(serial, parallel)) std::abort();
}

}  // namespace pmproof::validator
