// SPDX-License-Identifier: Apache-2.0
#include "validator/check/letting_go.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace pmproof::validator {
namespace {

using ::testing::IsEmpty;

// Notes what is let go.
class NotingFile final : public archive::StoredFile {
 public:
  explicit NotingFile(std::size_t size) : content_(size) {}
  Bytes bytes() const override { return content_; }
  void LetGo(std::uint64_t begin, std::uint64_t end) const override {
    const std::lock_guard lock(mutex_);
    let_go_.emplace_back(begin, end);
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> LetGo() const {
    std::sort(let_go_.begin(), let_go_.end());
    return let_go_;
  }

 private:
  std::vector<std::uint8_t> content_;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<std::uint64_t, std::uint64_t>> let_go_;
};

TEST(LettingGo, IsOfAllBytesOnce) {
  for (const unsigned threads : {1U, 3U}) {
    for (const std::size_t size : {4'194'304U, 5'000'001U, 40'000'000U}) {
      const NotingFile file(size);
      WorkPool pool(threads);
      { const LettingGo letting_go(pool, file); }
      std::uint64_t end = 0;
      for (const auto& [begin, part_end] : file.LetGo()) {
        EXPECT_EQ(begin, end);
        end = part_end;
      }
      EXPECT_EQ(end, size);
    }
  }
}

TEST(LettingGo, IsByTheOthersOfAPoolThatIsClosed) {
  const NotingFile file(40'000'000);
  std::optional<WorkPool> pool(1);
  {
    const LettingGo letting_go(*pool, file);
    pool->Close();
  }
  pool.reset();
  EXPECT_EQ(file.LetGo().back().second, 40'000'000U);
}

TEST(LettingGo, OfSmallFilesAndByOneThreadIsLeftToWhoClosesThem) {
  const NotingFile small(1'000'000);
  const NotingFile large(40'000'000);
  WorkPool two(1);
  WorkPool one(0);
  { const LettingGo letting_go(two, small); }
  { const LettingGo letting_go(one, large); }
  EXPECT_THAT(small.LetGo(), IsEmpty());
  EXPECT_THAT(large.LetGo(), IsEmpty());
}

}  // namespace
}  // namespace pmproof::validator
