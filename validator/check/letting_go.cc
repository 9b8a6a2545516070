// SPDX-License-Identifier: Apache-2.0
#include "validator/check/letting_go.h"

#include <algorithm>

namespace pmproof::validator {
namespace {

// A multiple of the pages that a processor's tables have in one table, so that no two threads
// change the same one.
constexpr std::uint64_t kPart = std::uint64_t{2} << 20;

}  // namespace

class LettingGo::Part final : public WorkPool::Job {
 public:
  Part(const archive::StoredFile& file, std::uint64_t begin, std::uint64_t end)
      : file_(file), begin_(begin), end_(end) {}
  void Run() override { file_.LetGo(begin_, end_); }

 private:
  const archive::StoredFile& file_;
  const std::uint64_t begin_;
  const std::uint64_t end_;
};

LettingGo::LettingGo(WorkPool& pool, const archive::StoredFile& file) : pool_(pool) {
  const std::uint64_t size = file.bytes().size();
  if (pool.threads() == 0 || size < 2 * kPart) return;
  const std::uint64_t share = size / (4 * (pool.threads() + 1));
  const std::uint64_t length = std::max(share - share % kPart, kPart);
  for (std::uint64_t begin = 0; begin < size; begin += length) {
    parts_.emplace_back(file, begin, std::min(begin + length, size));
    pool_.Put(&parts_.back());
  }
}

LettingGo::~LettingGo() {
  for (Part& part : parts_) pool_.Finish(&part);
}

}  // namespace pmproof::validator
