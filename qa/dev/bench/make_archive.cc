// SPDX-License-Identifier: Apache-2.0
// Writes an archive for the benchmark: make_archive --kind KIND --version 2|3 --bytes N|--count N
// BASE Prints what it wrote as one JSON object. Existing files of BASE are overwritten.

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "qa/dev/bench/kinds.h"

namespace {

using pmproof::bench::Kind;
using pmproof::bench::Kinds;

const Kind& Find(const std::string& name) {
  for (const Kind& kind : Kinds()) {
    if (kind.name == name) return kind;
  }
  return Kinds().front();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes an archive for the benchmark and prints what is in it.", "make_archive");
  std::vector<std::string> names;
  std::string listing = "Kinds:\n";
  for (const Kind& kind : Kinds()) {
    names.emplace_back(kind.name);
    listing += std::string("  ") + kind.name + ": " + kind.what + "\n";
  }
  app.footer(listing);
  std::string name;
  pmproof::bench::Request request;
  app.add_option("--kind", name)->required()->check(CLI::IsMember(names));
  app.add_option("--version", request.version, "2 or 3")->check(CLI::IsMember({2, 3}));
  // Version 2 cannot address more (ARC-086); the others could run out of instances and seconds.
  const auto* bytes = app.add_option("--bytes", request.bytes, "size of the volume, not exceeded")
                          ->check(CLI::Range(std::uint64_t{100'000}, std::uint64_t{2'000'000'000}));
  const auto* count = app.add_option("--count", request.count, "of what the kind is named after")
                          ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000}));
  app.add_option("BASE", request.base, "base name of the archive")->required();
  CLI11_PARSE(app, argc, argv);

  const Kind& kind = Find(name);
  if ((kind.by_bytes ? bytes : count)->empty()) {
    std::fprintf(stderr, "make_archive: %s needs --%s\n", kind.name,
                 kind.by_bytes ? "bytes" : "count");
    return 2;
  }
  const pmproof::bench::Made made = kind.make(request);
  if (!made.error.empty()) {
    std::fprintf(stderr, "make_archive: %s\n", made.error.c_str());
    return 1;
  }
  std::printf(
      "{\"records\": %llu, \"marks\": %llu, \"indom_records\": %llu, \"index_entries\": %llu}\n",
      static_cast<unsigned long long>(made.records), static_cast<unsigned long long>(made.marks),
      static_cast<unsigned long long>(made.indom_records),
      static_cast<unsigned long long>(made.index_entries));
  return 0;
}
