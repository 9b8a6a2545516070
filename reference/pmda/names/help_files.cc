// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <variant>

#include "reference/pmda/names/help_table.h"

namespace pmproof::pmda {
namespace {

// PMD-314.
constexpr std::string_view kPagBegin = "PcPh22\n";
constexpr std::uint32_t kMagic = 0x50635068;    // "PcPh"
constexpr std::uint32_t kVersion = 0x31320000;  // "12"
constexpr std::uint32_t kForIndom = 0x80000000;
constexpr std::size_t kRecord = 12;

struct Record {
  std::uint32_t id;
  std::uint32_t one_line;
  std::uint32_t full;
};

constexpr std::uint32_t Swapped(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

void Put(std::string& dir, const Record& record, std::endian order) {
  for (std::uint32_t word : {record.id, record.one_line, record.full}) {
    if (order != std::endian::native) word = Swapped(word);
    std::array<char, sizeof word> octets;
    std::memcpy(octets.data(), &word, sizeof word);
    dir.append(octets.data(), octets.size());
  }
}

Record Get(std::string_view dir, std::size_t index) {
  Record record;
  std::memcpy(&record.id, dir.data() + index * kRecord, 4);
  std::memcpy(&record.one_line, dir.data() + index * kRecord + 4, 4);
  std::memcpy(&record.full, dir.data() + index * kRecord + 8, 4);
  return record;
}

std::uint32_t StoredId(const HelpId& id) {
  if (const auto* indom = std::get_if<Indom>(&id)) return indom->value | kForIndom;
  return std::get<Pmid>(id).value & ~kForIndom;
}

// Metrics before instance domains, each by the low 22 bits; stable.
std::uint32_t SortKey(const Record& record) {
  return (record.id & kForIndom) | (record.id & 0x3fffff);
}

tl::unexpected<Status> Damaged(const std::string& file, std::uint64_t offset, std::string message) {
  return tl::unexpected(Status{.kind = Status::Kind::kDamaged,
                               .file = file,
                               .offset = offset,
                               .clause = "PMD-314"_clause,
                               .message = std::move(message)});
}

}  // namespace

CompiledHelp CompileHelp(std::span<const HelpEntry> entries, std::endian order) {
  CompiledHelp files;
  files.pag = kPagBegin;
  std::vector<Record> records;
  for (const HelpEntry& entry : entries) {
    files.pag += "\n@ " + entry.identifier + " ";
    const auto one_line = static_cast<std::uint32_t>(files.pag.size());
    files.pag += entry.one_line + '\0';
    const auto full = static_cast<std::uint32_t>(files.pag.size());
    files.pag += entry.full + '\0';
    records.push_back({StoredId(entry.id), one_line, full});
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return SortKey(a) < SortKey(b); });
  Put(files.dir, {kMagic, kVersion, static_cast<std::uint32_t>(records.size())}, order);
  for (const Record& record : records) Put(files.dir, record, order);
  return files;
}

Result<HelpTable> HelpTable::Read(CompiledHelp files, const std::string& base) {
  const std::string dir = base + ".dir";
  const std::string pag = base + ".pag";
  if (files.dir.size() < kRecord) return Damaged(dir, 0, "shorter than its header");
  const Record header = Get(files.dir, 0);
  if (header.id == Swapped(kMagic))
    return Damaged(dir, 0, "written on a host of another byte order");
  if (header.id != kMagic) return Damaged(dir, 0, "not a help directory: no PcPh at the beginning");
  if (header.one_line != kVersion) return Damaged(dir, 4, "not version 12 of a help directory");
  if (files.dir.size() % kRecord != 0 || header.full != files.dir.size() / kRecord - 1) {
    return Damaged(dir, 8,
                   std::to_string(header.full) + " entries do not fit into " +
                       std::to_string(files.dir.size()) + " bytes");
  }
  if (!files.pag.starts_with(kPagBegin)) {
    return Damaged(pag, 0, "not a file of help texts: no PcPh22 at the beginning");
  }
  std::vector<std::size_t> ends;
  for (std::size_t at = files.pag.find('\0'); at != std::string::npos;
       at = files.pag.find('\0', at + 1)) {
    ends.push_back(at);
  }
  HelpTable table;
  for (std::size_t i = 1; i <= header.full; ++i) {
    const Record record = Get(files.dir, i);
    Slot slot{Pmid{record.id}};
    if ((record.id & kForIndom) != 0) slot.id = Indom{record.id & ~kForIndom};
    const std::array<std::pair<std::uint32_t, Text*>, 2> texts = {
        {{record.one_line, &slot.one_line}, {record.full, &slot.full}}};
    for (std::size_t k = 0; k < texts.size(); ++k) {
      const auto [at, text] = texts[k];
      const auto end = std::lower_bound(ends.begin(), ends.end(), at);
      if (at < kPagBegin.size() || end == ends.end()) {
        return Damaged(dir, i * kRecord + 4 + 4 * k,
                       "no text at offset " + std::to_string(at) + " of " + pag);
      }
      *text = {at, *end - at};
    }
    table.slots_.push_back(slot);
  }
  table.texts_ = std::move(files.pag);
  table.Index();
  return table;
}

}  // namespace pmproof::pmda
