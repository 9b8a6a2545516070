// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_QA_DEV_BENCH_KINDS_H_
#define PMPROOF_QA_DEV_BENCH_KINDS_H_

#include <cstdint>
#include <span>
#include <string>

// The archives that the benchmark measures with, each of which is long in one thing.

namespace pmproof::bench {

struct Request {
  std::string base;         // files are BASE.meta, BASE.index, BASE.0
  int version = 3;          // 2 or 3
  std::uint64_t bytes = 0;  // size of the volume that is not exceeded; of kinds that are sized so
  std::uint64_t count = 0;  // how many of what the kind is named after; of the others
};

// What was written.
struct Made {
  std::string error;  // empty if all was written
  std::uint64_t records = 0;
  std::uint64_t marks = 0;
  std::uint64_t indom_records = 0;
  std::uint64_t index_entries = 0;
};

struct Kind {
  const char* name;
  const char* what;
  bool by_bytes;  // sized by Request::bytes, else by Request::count
  Made (*make)(const Request& request);
};

// host, small, marks, indoms, index, findings. All but the last are conformant. The same request
// gives the same bytes. Memory does not depend on the size asked for.
std::span<const Kind> Kinds();

}  // namespace pmproof::bench

#endif  // PMPROOF_QA_DEV_BENCH_KINDS_H_
