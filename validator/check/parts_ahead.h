// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_PARTS_AHEAD_H_
#define PMPROOF_VALIDATOR_CHECK_PARTS_AHEAD_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <utility>

#include "validator/check/work_pool.h"

namespace pmproof::validator {

// What of a file one part of it is: the records that begin from `begin` on and before `end`.
struct FilePart {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool exact = false;  // a record begins at `begin`, if anything does; else that is to be guessed
};

// Has the parts of one file looked at by all threads, some of them ahead of the one that is needed
// next. `Part` is a WorkPool::Job with a FilePart part(). A resource: not copied.
template <typename Part>
class PartsAhead {
 public:
  // How many bytes a part has. Towards the end parts get shorter, so that all threads end at about
  // the same time. That is not the end of the file, if threads have `after` more bytes to look at,
  // of other files.
  struct Sizes {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::uint64_t after = 0;
  };

  // `size` is that of the file; 0: nothing is looked at ahead. `pool` outlives this.
  PartsAhead(WorkPool& pool, std::uint64_t size, Sizes sizes)
      : pool_(pool), sizes_(sizes), size_(pool.threads() == 0 ? 0 : size) {}
  ~PartsAhead() { GiveUp(); }
  PartsAhead(const PartsAhead&) = delete;
  PartsAhead& operator=(const PartsAhead&) = delete;

  // The part whose records follow those up to `position`, which does not go back. Null if there is
  // none, or its outcome does not count: the records from `position` to next() are for the caller
  // to look at. make(FilePart) gives a new part, follows(Part) says whether the outcome counts.
  template <typename Make, typename Follows>
  std::unique_ptr<Part> Take(std::uint64_t position, const Make& make, const Follows& follows) {
    Plan(position, make);
    if (waiting_.empty() || waiting_.front()->part().begin > position) return nullptr;
    const bool ran = pool_.Finish(waiting_.front().get());
    std::unique_ptr<Part> first = std::move(waiting_.front());
    waiting_.pop_front();
    if (ran && follows(*first)) {
      in_vain_ = 0;
      return first;
    }
    // The others take memory that one thread would have. Of those that are under way when one turns
    // out to be in vain nothing better is known.
    if (!ran || ++in_vain_ > most_waiting() + 2) GiveUp();
    return nullptr;
  }

  // Has parts begun that Take() of the same position could give. It does so itself: this is for who
  // has more to do before.
  template <typename Make>
  void Plan(std::uint64_t position, const Make& make) {
    while (!waiting_.empty() && waiting_.front()->part().end <= position) {
      pool_.Cancel(waiting_.front().get());
      waiting_.pop_front();
    }
    PlanUpTo(most_waiting(), position, make, false);
  }

  // Has parts begun before the turn of the file, whose first record begins at `position`, so that
  // no more than `most` wait.
  template <typename Make>
  void Begin(std::uint64_t position, const Make& make, std::size_t most) {
    PlanUpTo(most, position, make, true);
  }

  // How many parts may wait, of all files together, and how many of this one do.
  std::size_t most_waiting() const { return 4 * (pool_.threads() + 1); }
  std::size_t waiting() const { return waiting_.size(); }

  // Whether threads have nothing to begin here any more.
  bool all_planned() const { return planned_ >= size_ || left_to_caller_; }

  // Whether parts were in vain, or there was no memory for them.
  bool given_up() const { return given_up_; }

  // False if there are none: the file is short, or all have been taken or given up.
  bool any() const { return planned_ + sizes_.least < size_ || !waiting_.empty(); }

  // Of parts that are not planned yet.
  void LimitTo(std::uint64_t most) {
    sizes_.most = std::min(sizes_.most, std::max(most, std::uint64_t{1}));
    sizes_.least = std::min(sizes_.least, sizes_.most);
  }

  // Where it is worth to call Take() again.
  std::uint64_t next() const {
    return waiting_.empty() ? std::numeric_limits<std::uint64_t>::max()
                            : waiting_.front()->part().begin;
  }

 private:
  static constexpr std::uint64_t kPage = 4096;

  template <typename Make>
  void PlanUpTo(std::size_t most, std::uint64_t position, const Make& make, bool before_turn) {
    planned_ = std::max(planned_, position);
    while (waiting_.size() < most && planned_ < size_) {
      const bool exact = planned_ == position;
      const std::uint64_t rest = size_ - planned_;
      if (left_of_round_ == 0) {
        left_of_round_ = pool_.threads() + 1;
        share_ = (rest + sizes_.after) / left_of_round_;
        share_ = std::exchange(begun_, true) ? 2 * share_ / 3 : 17 * share_ / 20;
      }
      --left_of_round_;
      std::uint64_t length = std::clamp(share_, sizes_.least, sizes_.most);
      // What is left over would cost as much as a part, and not be worth it.
      if (rest <= sizes_.most && rest < length + sizes_.least / 2) length = rest;
      // One thread has all of it: the caller's, which has nothing else to do.
      left_to_caller_ = exact && length >= rest && !before_turn;
      if (left_to_caller_) return;
      std::uint64_t end = std::min(planned_ + length, size_);
      if (end != size_ && length > kPage) end -= end % kPage;
      waiting_.push_back(make(FilePart{planned_, end, exact}));
      pool_.Put(waiting_.back().get());
      planned_ = end;
    }
  }

  void GiveUp() {
    for (const auto& part : waiting_) pool_.Cancel(part.get());
    waiting_.clear();
    size_ = 0;
    given_up_ = true;
  }

  WorkPool& pool_;
  Sizes sizes_;
  std::uint64_t size_;
  std::uint64_t planned_ = 0;  // up to here
  // As many parts as there are threads get the same share of what is left, then others a smaller
  // one: each part costs something by itself. The first round takes most of the file. A thread that
  // had other work before ends its part of that later, so what the others begin meanwhile is to
  // leave enough for the end.
  std::uint64_t share_ = 0;
  bool begun_ = false;
  std::size_t left_of_round_ = 0;
  bool left_to_caller_ = false;  // all that is not planned
  bool given_up_ = false;
  std::size_t in_vain_ = 0;  // parts in a row that did not count
  std::deque<std::unique_ptr<Part>> waiting_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_PARTS_AHEAD_H_
