// Writes one of the archives that the specification gives in full, as golden/archive has them:
// write_example base|worked 2|3 DIRECTORY/BASE

#include <cstdio>
#include <fstream>
#include <string>

#include "generators/archive_image.h"

int main(int argc, char** argv) {
  if (argc != 4 || (std::string(argv[2]) != "2" && std::string(argv[2]) != "3")) {
    std::fputs("usage: write_example base|worked 2|3 DIRECTORY/BASE\n", stderr);
    return 2;
  }
  using namespace pmproof::generators;
  const int version = argv[2][0] - '0';
  const ArchiveImage image =
      Encode(std::string(argv[1]) == "base" ? BaseArchive(version) : WorkedExample(version));
  for (const auto& [suffix, bytes] : image.files) {
    std::ofstream file(std::string(argv[3]) + "." + suffix, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) return 4;
  }
  return 0;
}
