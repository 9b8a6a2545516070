// SPDX-License-Identifier: Apache-2.0
// The least that reading an archive can cost: bare_walk VOLUME...
// Goes over every record, value set and value of plain data volumes by way of mmap, and adds up
// each value that stands in its set and the header and first payload word of each value block.
// Looks at nothing but what keeps it inside the file. Prints what it saw as one JSON object.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "reference/archive/layout.h"
#include "reference/core/bytes.h"

namespace {

using pmproof::LoadU32;

struct Totals {
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t sets = 0;
  std::uint64_t values = 0;
  std::uint64_t sum = 0;
};

// False if the record would have been left.
bool WalkRecord(const std::uint8_t* record, std::uint32_t length, std::size_t header,
                Totals* totals) {
  if (length < header + 8) return false;
  std::uint32_t sets = LoadU32(record + header);
  const std::uint8_t* at = record + header + 4;
  const std::uint8_t* const end = record + length - 4;
  totals->sets += sets;
  for (; sets > 0; --sets) {
    if (end - at < 8) return false;
    const auto numval = static_cast<std::int32_t>(LoadU32(at + 4));
    if (numval <= 0) {
      at += 8;
      continue;
    }
    if ((end - at - 12) / 8 < numval) return false;
    const bool insitu = LoadU32(at + 8) == pmproof::archive::kInsitu;
    at += 12;
    const std::uint8_t* const next = at + 8 * static_cast<std::ptrdiff_t>(numval);
    totals->values += static_cast<std::uint32_t>(numval);
    std::uint64_t sum = 0;
    if (insitu) {
      for (; at < next; at += 8) sum += LoadU32(at + 4);
    } else {
      for (; at < next; at += 8) {
        const std::uint64_t offset = 4 * (std::uint64_t{LoadU32(at + 4)} - 2);
        if (offset > length - 8) return false;
        sum += LoadU32(record + offset) + LoadU32(record + offset + 4);
      }
    }
    totals->sum += sum;
  }
  return true;
}

bool WalkVolume(const std::uint8_t* data, std::size_t size, Totals* totals) {
  using pmproof::archive::LayoutOf;
  totals->bytes += size;
  if (size < 8) return false;
  const auto& layout = LayoutOf(static_cast<int>(LoadU32(data + 4) & 0xff));
  std::size_t at = layout.label;
  while (at < size) {
    if (size - at < 4) return false;
    const std::uint32_t length = LoadU32(data + at);
    if (length > size - at || !WalkRecord(data + at, length, 4 + layout.timestamp, totals)) {
      return false;
    }
    ++totals->records;
    at += length;
  }
  return true;
}

bool WalkFile(const char* path, Totals* totals) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) {
    std::perror(path);
    return false;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (map == MAP_FAILED) {
    std::perror(path);
    return false;
  }
  const bool whole = WalkVolume(static_cast<const std::uint8_t*>(map), size, totals);
  if (!whole)
    std::fprintf(stderr, "bare_walk: %s: left the record after %llu\n", path,
                 static_cast<unsigned long long>(totals->records));
  munmap(map, size);
  return whole;
}

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("usage: bare_walk VOLUME...\n", stderr);
    return 2;
  }
  Totals totals;
  for (int i = 1; i < argc; ++i) {
    if (!WalkFile(argv[i], &totals)) return 1;
  }
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const double cpu = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
  std::printf(
      "{\"bytes\": %llu, \"records\": %llu, \"sets\": %llu, \"values\": %llu, \"sum\": %llu, "
      "\"cpu_seconds\": %.6f, \"megabytes_per_second\": %.0f}\n",
      static_cast<unsigned long long>(totals.bytes),
      static_cast<unsigned long long>(totals.records), static_cast<unsigned long long>(totals.sets),
      static_cast<unsigned long long>(totals.values), static_cast<unsigned long long>(totals.sum),
      cpu, static_cast<double>(totals.bytes) / 1e6 / cpu);
  return 0;
}
