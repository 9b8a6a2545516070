// SPDX-License-Identifier: Apache-2.0
// Writes one seed of a fuzz target: the version byte, then a file of an archive of the
// specification, or of one without counters. make_seed base|worked|gauges 2|3 SUFFIX
// none|xz|gz|bz2|zst > SEED

#include <cstdio>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "reference/archive/testing/compress.h"

namespace {

using namespace pmproof;

generators::ArchivePlan Plan(const std::string& example, int version) {
  if (example == "worked") return generators::WorkedExample(version);
  generators::ArchivePlan plan = generators::BaseArchive(version);
  if (example == "base") return plan;
  for (auto& [volume, records] : plan.volumes) {
    for (archive::ResultModel& record : records) {
      std::erase_if(record.sets, [](const archive::ValueSetModel& set) {
        return set.pmid == Pmid::Of(29, 0, 1);  // the one counter
      });
    }
  }
  return plan;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int version = std::string(argv[2]) == "3" ? 3 : 2;
  generators::ArchiveImage image = generators::Encode(Plan(argv[1], version));
  std::vector<std::uint8_t> content = image.files.at(argv[3]);
  const std::string form = argv[4];
  for (const archive::CompressionSuffix& suffix : archive::kCompressionSuffixes) {
    if (suffix.suffix == "." + form)
      content = archive::testing::Compress(content, suffix.compression);
  }
  content.insert(content.begin(), static_cast<std::uint8_t>(version));
  return std::fwrite(content.data(), 1, content.size(), stdout) == content.size() ? 0 : 4;
}
