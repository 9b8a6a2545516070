// SPDX-License-Identifier: Apache-2.0
// Writes one of the archives that the specification gives in full, as golden/archive has them, and
// the truth about it: write_example base|worked 2|3 DIRECTORY/BASE

#include <cstdio>
#include <fstream>
#include <string>

#include "generators/archive_image.h"
#include "generators/plan_truth.h"
#include "reference/archive/output_storage.h"

int main(int argc, char** argv) {
  if (argc != 4 || (std::string(argv[2]) != "2" && std::string(argv[2]) != "3")) {
    std::fputs("usage: write_example base|worked 2|3 DIRECTORY/BASE\n", stderr);
    return 2;
  }
  const int version = argv[2][0] - '0';
  const std::string base = argv[3];
  const pmproof::generators::ArchivePlan plan = std::string(argv[1]) == "base"
                                                    ? pmproof::generators::BaseArchive(version)
                                                    : pmproof::generators::WorkedExample(version);
  for (const auto& [suffix, bytes] : pmproof::generators::Encode(plan).files) {
    std::string path = base;
    path.append(".").append(suffix);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) return 4;
  }
  const auto output = pmproof::archive::MakePosixOutput();
  auto file = output->Create(base + ".truth.json");
  if (!file) {
    std::fprintf(stderr, "%s\n", file.error().ToText().c_str());
    return 4;
  }
  if (const auto status = pmproof::generators::WriteTruth(plan, {{"example", argv[1]}}, **file)) {
    std::fprintf(stderr, "%s\n", status->ToText().c_str());
    return 4;
  }
  return 0;
}
