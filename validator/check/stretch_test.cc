// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "reference/archive/storage.h"

namespace pmproof::validator {
namespace {

// Tells by whom it is prepared.
class WatchedFile final : public archive::StoredFile {
 public:
  Bytes bytes() const override { return bytes_; }
  void Prepare(Bytes part) const override {
    EXPECT_EQ(part.data(), bytes_.data() + 2);
    EXPECT_EQ(part.size(), 5U);
    by_.set_value(std::this_thread::get_id());
  }

  std::future<std::thread::id> by() { return by_.get_future(); }

 private:
  std::vector<std::uint8_t> bytes_ = std::vector<std::uint8_t>(10);
  mutable std::promise<std::thread::id> by_{};
};

TEST(StretchPool, PreparesAFileOnAnotherThread) {
  StretchPool pool(1);
  const auto file = std::make_shared<WatchedFile>();
  std::future<std::thread::id> by = file->by();
  pool.PrepareSoon(file->bytes().subspan(2, 5), file);
  EXPECT_NE(by.get(), std::this_thread::get_id());
}

TEST(StretchPool, PreparesNothingWithoutAnotherThread) {
  const auto file = std::make_shared<WatchedFile>();
  std::future<std::thread::id> by = file->by();
  {
    StretchPool pool(0);
    pool.PrepareSoon(file->bytes().subspan(2, 5), file);
  }
  EXPECT_EQ(by.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
}

TEST(StretchPool, DoesNotKeepAFileForItsPreparation) {
  StretchPool pool(1);
  auto closed = std::make_shared<WatchedFile>();
  const std::weak_ptr<const archive::StoredFile> weak = closed;
  const Bytes part = closed->bytes().subspan(2, 5);
  closed.reset();
  pool.PrepareSoon(part, weak);
  const auto file = std::make_shared<WatchedFile>();
  std::future<std::thread::id> by = file->by();
  pool.PrepareSoon(file->bytes().subspan(2, 5), file);
  by.get();  // the one before has been passed over
}

}  // namespace
}  // namespace pmproof::validator
