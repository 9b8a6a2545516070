// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_PROTOCOL_CHECK_RUN_WATCH_H_
#define PMPROOF_VALIDATOR_PROTOCOL_CHECK_RUN_WATCH_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <thread>

#include "validator/output/interruption.h"

namespace pmproof::validator {

// What a run of checks, or of questions, does about SIGINT, SIGTERM and SIGHUP: it begins no other
// one, those that are being made are hurried, and when the run has come back, or does not within
// the grace, the program says how far it was and ends by the signal. One at a time; made before the
// run begins.
class RunWatch {
 public:
  struct Actions {
    // Called over and over once the signal is there, from another thread: brings the checks that
    // wait to an end.
    std::function<void()> hurry{};
    // Called from another thread where the run does not come back: removes what it would have
    // removed itself.
    std::function<void()> clean_up{};
  };
  static constexpr std::chrono::milliseconds kGrace{5000};

  // `what`: "agent check". `unit`: what Progress counts.
  RunWatch(std::string what, std::ostream& err, Actions actions, std::string unit = "check");

  // The user wishes the run to stop.
  bool stop() const { return interruption_.wished(); }
  // So many are done, of so many.
  void Progress(std::size_t done, std::size_t all);

  // Call it when the run has come back: ends the watch, and tells of the interruption if there was
  // one. Then destroy what has to be removed, and call Obey.
  bool Interrupted();
  void Obey() { interruption_.Obey(); }

 private:
  void Watch(const std::stop_token& done);
  void Tell();

  Interruption interruption_{};
  std::string what_;
  std::ostream& err_;
  Actions actions_;
  std::string unit_;
  std::atomic<std::size_t> done_{0};
  std::atomic<std::size_t> all_{0};
  std::jthread watcher_{};
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_PROTOCOL_CHECK_RUN_WATCH_H_
