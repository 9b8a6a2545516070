// SPDX-License-Identifier: Apache-2.0
// Writes one seed of a fuzz target: the version byte, then a file of an archive of the
// specification. make_seed base|worked 2|3 SUFFIX none|xz|gz|bz2|zst > SEED

#include <cstdio>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  using namespace pmproof;
  const int version = std::string(argv[2]) == "3" ? 3 : 2;
  generators::ArchiveImage image =
      generators::Encode(std::string(argv[1]) == "base" ? generators::BaseArchive(version)
                                                        : generators::WorkedExample(version));
  std::vector<std::uint8_t> content = image.files.at(argv[3]);
  const std::string form = argv[4];
  for (const archive::CompressionSuffix& suffix : archive::kCompressionSuffixes) {
    if (suffix.suffix == "." + form)
      content = archive::testing::Compress(content, suffix.compression);
  }
  content.insert(content.begin(), static_cast<std::uint8_t>(version));
  return std::fwrite(content.data(), 1, content.size(), stdout) == content.size() ? 0 : 4;
}
