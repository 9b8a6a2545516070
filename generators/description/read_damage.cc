// SPDX-License-Identifier: Apache-2.0
#include "generators/description/read_damage.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace pmproof::generators {

std::vector<DescribedDamage> ReadDamage(const Node& node, const ArchiveImage& image) {
  constexpr std::int64_t kMostWord = std::numeric_limits<std::uint32_t>::max();
  std::vector<DescribedDamage> all;
  std::map<std::string, std::vector<std::size_t>> records_of;
  for (const Node& entry : node.Elements()) {
    const auto cut = entry.Find("cut");
    if (cut) {
      entry.Expect({"file", "cut"});
    } else {
      entry.Expect({"file", "record", "offset", "word"});
    }
    if (entry.failed()) break;
    DescribedDamage& damage = all.emplace_back();
    damage.file = entry.At("file").Text();
    const auto file = image.files.find(damage.file);
    if (file == image.files.end()) {
      entry.At("file").Fail("the archive has no such file");
      break;
    }
    const auto size = static_cast<std::int64_t>(file->second.size());
    if (cut) {
      damage.cut = static_cast<std::size_t>(cut->Integer(1, size));
      continue;
    }
    // The label is the first of these; an index has entries without length words after it.
    const auto known = records_of.find(damage.file);
    const std::vector<std::size_t>& records =
        known != records_of.end()
            ? known->second
            : records_of.emplace(damage.file, image.Records(damage.file)).first->second;
    const auto last = static_cast<std::int64_t>(records.size()) - 2;
    if (last < 0) {
      entry.At("file").Fail("has no records");
      break;
    }
    const auto record = static_cast<std::size_t>(entry.At("record").Integer(0, last)) + 1;
    const std::size_t begin = records[record];
    const std::size_t end = record + 1 < records.size() ? records[record + 1] : file->second.size();
    const auto most = static_cast<std::int64_t>(end - begin) - 4;
    damage.offset = begin + static_cast<std::size_t>(entry.At("offset").Integer(0, most));
    damage.word = static_cast<std::uint32_t>(entry.At("word").Integer(0, kMostWord));
  }
  return all;
}

}  // namespace pmproof::generators
