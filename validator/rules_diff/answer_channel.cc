// SPDX-License-Identifier: Apache-2.0
#include "validator/rules_diff/answer_channel.h"

#include <utility>

namespace pmproof::validator {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kQueued = 2;

}  // namespace

bool AnswerChannel::Put(const replay::FetchAnswer& answer, std::span<const Reason> reasons) {
  SideAnswer& copy =
      filling_.answers.emplace_back(SideAnswer{answer, {reasons.begin(), reasons.end()}});
  filling_.size += sizeof copy + reasons.size_bytes();
  for (replay::MetricAnswer& metric : copy.fetch.metrics) {
    filling_.size += sizeof metric + metric.message.size() +
                     metric.values.size() * sizeof(replay::InstanceAnswer);
    for (replay::InstanceAnswer& value : metric.values) {
      if (value.value.opaque.empty()) continue;
      const std::string& content = filling_.contents.emplace_back(AsText(value.value.opaque));
      value.value.opaque = AsBytes(content);
      filling_.size += content.size() + sizeof content;
    }
  }
  return filling_.size < kChunk || Send();
}

bool AnswerChannel::Send() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < kQueued || abandoned_; });
  const bool wanted = !abandoned_;
  if (wanted) queue_.push_back(std::move(filling_));
  lock.unlock();
  changed_.notify_all();
  filling_ = Chunk();
  return wanted;
}

void AnswerChannel::Close(std::optional<Status> error) {
  if (!filling_.answers.empty()) Send();
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    error_ = std::move(error);
  }
  changed_.notify_all();
}

const SideAnswer* AnswerChannel::Next() {
  if (next_ < taken_.answers.size()) return &taken_.answers[next_++];
  taken_ = Chunk();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !queue_.empty() || closed_; });
    if (queue_.empty()) {
      next_ = 0;
      return nullptr;
    }
    taken_ = std::move(queue_.front());
    queue_.pop_front();
  }
  changed_.notify_all();
  next_ = 1;
  return &taken_.answers.front();
}

void AnswerChannel::Abandon() {
  {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    queue_.clear();
  }
  changed_.notify_all();
}

}  // namespace pmproof::validator
