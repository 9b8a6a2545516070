// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_RULES_DIFF_ANSWER_CHANNEL_H_
#define PMPROOF_VALIDATOR_RULES_DIFF_ANSWER_CHANNEL_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/core/status.h"
#include "reference/replay/replay.h"
#include "validator/rules_diff/side.h"

namespace pmproof::validator {

// The answer of one side to one fetch; see SideSink.
struct SideAnswer {
  replay::FetchAnswer fetch;
  std::vector<Reason> reasons;
};

// Carries answers from a thread in which a side answers to another one, in order, a few chunks at
// most ahead of it: two sides answer at once and never more than that is kept. One thread calls
// Put() and Close(), another one Next() and Abandon(). A resource.
class AnswerChannel {
 public:
  AnswerChannel() = default;
  AnswerChannel(const AnswerChannel&) = delete;
  AnswerChannel& operator=(const AnswerChannel&) = delete;

  // Waits until there is room. False: nothing more is taken.
  bool Put(const replay::FetchAnswer& answer, std::span<const Reason> reasons);
  // Nothing more comes: all was answered, or there was an error.
  void Close(std::optional<Status> error);

  // Waits for the next answer, which holds until the next call. Null after the last one.
  const SideAnswer* Next();
  // Nothing more is taken; Put() waits no longer.
  void Abandon();
  // After Next() gave null.
  const std::optional<Status>& error() const { return error_; }

 private:
  // Answers that own what their opaque values view.
  struct Chunk {
    std::vector<SideAnswer> answers;
    std::deque<std::string> contents;
    std::size_t size = 0;  // bytes, about
  };

  bool Send();

  Chunk filling_;  // the producer's
  Chunk taken_;    // the consumer's
  std::size_t next_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Chunk> queue_;
  bool closed_ = false;
  bool abandoned_ = false;
  std::optional<Status> error_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_RULES_DIFF_ANSWER_CHANNEL_H_
