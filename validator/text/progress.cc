// SPDX-License-Identifier: Apache-2.0
#include "validator/text/progress.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>

namespace pmproof::validator {
namespace {

constexpr std::size_t kWidth = 30;
constexpr std::int64_t kPauseMilliseconds = 100;

std::int64_t Milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// "1.2" of gigabytes, megabytes or kilobytes.
std::string Scaled(std::uint64_t bytes, double unit) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(bytes) / unit);
  return text.data();
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& terminal) : terminal_(terminal) {}

ProgressBar::~ProgressBar() { terminal_ << "\r\033[K" << std::flush; }

void ProgressBar::Expect(std::uint64_t archives, std::uint64_t bytes) {
  archives_expected_ = archives;
  bytes_expected_ = bytes;
  Draw();
}

void ProgressBar::AddBytes(std::uint64_t bytes) {
  bytes_ += bytes;
  Draw();
}

void ProgressBar::ArchiveDone() {
  ++archives_;
  Draw();
}

void ProgressBar::Draw() {
  const std::int64_t now = Milliseconds();
  std::int64_t before = drawn_at_;
  // The thread that sets the time draws; the others go on.
  if (now - before < kPauseMilliseconds || !drawn_at_.compare_exchange_strong(before, now)) return;
  const std::uint64_t bytes_expected = bytes_expected_;
  const std::uint64_t bytes = std::min<std::uint64_t>(bytes_, bytes_expected);
  const std::uint64_t archives = archives_;
  const std::uint64_t archives_expected = archives_expected_;
  const std::uint64_t done = bytes_expected > 0 ? bytes : archives;
  const std::uint64_t all =
      std::max<std::uint64_t>(bytes_expected > 0 ? bytes_expected : archives_expected, 1);
  const std::size_t full =
      static_cast<std::size_t>(static_cast<double>(kWidth) *
                               static_cast<double>(std::min(done, all)) / static_cast<double>(all));
  std::string line = "\r[" + std::string(full, '#') + std::string(kWidth - full, '.') + "] " +
                     std::to_string(archives) + "/" + std::to_string(archives_expected) +
                     (archives_expected == 1 ? " archive" : " archives");
  if (bytes_expected > 0) {
    const bool giga = bytes_expected >= 1'000'000'000;
    const double unit = giga ? 1e9 : 1e6;
    line +=
        ", " + Scaled(bytes, unit) + "/" + Scaled(bytes_expected, unit) + (giga ? " GB" : " MB");
  }
  const std::lock_guard<std::mutex> lock(drawing_);
  terminal_ << line << "\033[K" << std::flush;
}

}  // namespace pmproof::validator
