// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/run_watch.h"

#include <utility>

#include "validator/text/display.h"

namespace pmproof::validator {

RunWatch::RunWatch(std::string what, std::ostream& err, Actions actions, std::string unit)
    : what_(std::move(what)), err_(err), actions_(std::move(actions)), unit_(std::move(unit)) {
  interruption_.Defer();
  watcher_ = std::jthread([this](const std::stop_token& done) { Watch(done); });
}

void RunWatch::Progress(std::size_t done, std::size_t all) {
  done_ = done;
  all_ = all;
}

void RunWatch::Watch(const std::stop_token& done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPause{20};
  while (!done.stop_requested() && !stop()) std::this_thread::sleep_for(kPause);
  const auto due = Clock::now() + kGrace;
  while (!done.stop_requested()) {
    if (actions_.hurry) actions_.hurry();
    if (Clock::now() >= due) {
      if (actions_.clean_up) actions_.clean_up();
      Tell();
      interruption_.Obey();
    }
    std::this_thread::sleep_for(kPause);
  }
}

bool RunWatch::Interrupted() {
  watcher_.request_stop();
  watcher_.join();
  if (!stop()) return false;
  Tell();
  return true;
}

void RunWatch::Tell() {
  const std::string how_far = all_ == 0
                                  ? "before the first " + unit_
                                  : "after " + std::to_string(done_) + " of " + Plural(all_, unit_);
  err_ << "pmproof: " << what_ << " was interrupted " << how_far << "; no report is written"
       << std::endl;
}

}  // namespace pmproof::validator
