// write_base_archive VERSION PATH: writes the base archive of ARC-1000 as PATH.meta, PATH.0,
// PATH.index.

#include <fstream>
#include <string>

#include "generators/archive_image.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int version = std::string(argv[1]) == "3" ? 3 : 2;
  const auto image = pmproof::generators::Encode(pmproof::generators::BaseArchive(version));
  for (const auto& [suffix, content] : image.files) {
    std::ofstream file(std::string(argv[2]) + "." + suffix, std::ios::binary);
    file.write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
    if (!file.flush()) return 1;
  }
  return 0;
}
