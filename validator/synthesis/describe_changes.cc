// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/describe_changes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "reference/archive/file_set.h"
#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace pmproof::validator {
namespace {

using archive::Buffer;
using generators::MutatedFiles;

constexpr std::size_t kShown = 16;  // bytes at most, of each side

std::string Counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string Hex(Bytes bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The record or index entry that a byte is in: its first byte and what to call it.
struct Unit {
  std::size_t begin = 0;
  std::string name;
};

Unit UnitAt(const std::string& file, const Buffer& content, std::size_t offset) {
  const auto name = archive::ParseFileName(file);
  if (content.size() < archive::kMinRecord || !name) return {0, ""};
  const std::size_t label = LoadU32(content.data());
  if (offset < label) return {0, "label"};
  if (name->part == archive::kIndexPart) {
    const std::size_t size =
        archive::LayoutOf(label == archive::kLayoutV3.label ? 3 : 2).index_entry;
    const std::size_t entry = (offset - label) / size;
    return {label + entry * size, "entry " + std::to_string(entry + 1)};
  }
  std::size_t at = 0;
  for (std::size_t ordinal = 0; content.size() - at >= archive::kMinRecord; ++ordinal) {
    const std::size_t length = LoadU32(content.data() + at);
    if (length < archive::kMinRecord || length > content.size() - at) break;
    if (offset < at + length) return {at, "record " + std::to_string(ordinal)};
    at += length;
  }
  return {offset, ""};
}

std::string Changed(const std::string& file, const Buffer& before, const Buffer& after) {
  const auto ends = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  auto begin = static_cast<std::size_t>(ends.first - before.begin());
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t same_end = 0;
  while (same_end < shorter - begin &&
         before[before.size() - 1 - same_end] == after[after.size() - 1 - same_end])
    ++same_end;
  std::size_t old_size = before.size() - begin - same_end;
  std::size_t new_size = after.size() - begin - same_end;
  const Unit unit = UnitAt(file, before, begin);
  if (old_size == new_size) {  // whole words
    const std::size_t by = (begin - unit.begin) % 4;
    begin -= by;
    old_size = std::min((old_size + by + 3) / 4 * 4, before.size() - begin);
    new_size = old_size;
  }
  const std::string place =
      "offset " + std::to_string(begin) + (unit.name.empty() ? "" : ", " + unit.name) + ": ";
  const std::string where = file + ": " + place;
  if (begin == before.size()) return where + Counted(new_size) + " added at the end";
  if (begin == after.size()) return where + "the file ends here, " + Counted(old_size) + " earlier";
  if (old_size == 0) return where + Counted(new_size) + " put in";
  if (new_size == 0) return where + Counted(old_size) + " removed";
  if (old_size == new_size && old_size <= kShown) {
    return where + Hex(Bytes(after).subspan(begin, new_size)) + " instead of " +
           Hex(Bytes(before).subspan(begin, old_size));
  }
  if (old_size == new_size) return where + "other bytes within " + Counted(old_size);
  return where + Counted(new_size) + " instead of " + Counted(old_size);
}

}  // namespace

std::vector<std::string> DescribeChanges(const MutatedFiles& before, const MutatedFiles& after) {
  std::vector<std::string> lines;
  std::set<std::string> gone;
  for (const auto& [name, content] : before.files) {
    const auto now = after.files.find(name);
    if (now == after.files.end()) {
      gone.insert(name);
    } else if (now->second != content) {
      lines.push_back(Changed(name, content, now->second));
    }
  }
  for (const auto& [name, content] : after.files) {
    if (before.files.contains(name)) continue;
    auto same = gone.begin();
    while (same != gone.end() && before.files.at(*same) != content) ++same;
    if (same == gone.end()) {
      lines.push_back(name + ": new, " + Counted(content.size()));
    } else {
      lines.push_back(name + ": was " + *same);
      gone.erase(same);
    }
  }
  for (const std::string& name : after.directories) {
    lines.push_back(name + ": a directory");
    gone.erase(name);
  }
  for (const std::string& name : gone) lines.push_back(name + ": gone");
  return lines;
}

}  // namespace pmproof::validator
