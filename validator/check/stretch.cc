// SPDX-License-Identifier: Apache-2.0
#include "validator/check/stretch.h"

#include <new>
#include <optional>
#include <utility>

#include "reference/archive/data_record.h"

namespace pmproof::validator {

void Stretch::CheckRecord(const archive::RecordView& record,
                          std::optional<Timestamp>* latest_time) {
  bool time_known = true;
  if (record.bytes.size() >= archive::LayoutOf(version_).mark) {
    const Timestamp time =
        archive::LoadTimestamp(record.bytes.data() + archive::kLengthWord, version_);
    const bool in_order = !*latest_time || time >= **latest_time;
    if (in_order) *latest_time = time;
    time_known =
        in_order && time.seconds >= 0 &&
        archive::FractionInRange(
            archive::LoadFraction(record.bytes.data() + archive::kLengthWord, version_), version_);
    if (time_known && checker.CheckAsBefore(record, version_, time)) return;
  }
  const std::optional<archive::DataRecord> decoded =
      archive::DecodeDataRecord(record, version_, collector);
  if (decoded) {
    checker.Check(*decoded, time_known);
  } else {
    ++refused;
  }
}

void Stretch::CheckAll() {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t length = LoadU32(bytes.data() + at);
    // What was framed before can be zeros by now (StoredFile::lost): then there is no verdict.
    if (length < archive::kMinRecord || length > bytes.size() - at) return;
    CheckRecord({bytes.subspan(at, length), offset + at, ordinal++, part_}, &latest);
    at += length;
  }
  checker.Settle();  // the memory of its forms is not kept until it is absorbed
  content.reset();   // whoever is the last unmaps the file, which takes its time
}

StretchPool::StretchPool(unsigned threads) {
  for (unsigned i = 0; i < threads; ++i) {
    threads_.emplace_back([this] {
      std::unique_lock lock(mutex_);
      while (true) {
        if (!unprepared_.empty()) {
          PrepareNext(lock);
        } else if (Job* job = NextJob()) {
          Work(job, lock);
        } else if (ending_) {
          return;
        } else {
          changed_.wait(lock);
        }
      }
    });
  }
}

StretchPool::~StretchPool() {
  const std::lock_guard lock(mutex_);
  for (const std::shared_ptr<Job>& job : order_) job->taken = true;
  unprepared_.clear();
  ending_ = true;
  changed_.notify_all();
}

void StretchPool::Put(std::unique_ptr<Stretch> stretch) {
  const std::lock_guard lock(mutex_);
  order_.push_back(std::make_shared<Job>(Job{std::move(stretch), false, false}));
  changed_.notify_one();
}

void StretchPool::PrepareSoon(Bytes part, std::weak_ptr<const archive::StoredFile> content) {
  if (threads_.empty()) return;
  const std::lock_guard lock(mutex_);
  unprepared_.push_back({part, std::move(content)});
  changed_.notify_one();
}

std::unique_ptr<Stretch> StretchPool::Take() {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Job> first = order_.front();
  while (!first->done) {
    if (Job* job = NextJob()) {
      Work(job, lock);
    } else {
      changed_.wait(lock);
    }
  }
  order_.pop_front();
  if (first->out_of_memory) throw std::bad_alloc();
  return std::move(first->stretch);
}

StretchPool::Job* StretchPool::NextJob() {
  for (const std::shared_ptr<Job>& job : order_) {
    if (!job->taken) {
      job->taken = true;
      return job.get();
    }
  }
  return nullptr;
}

void StretchPool::PrepareNext(std::unique_lock<std::mutex>& lock) {
  const Unprepared next = std::move(unprepared_.front());
  unprepared_.pop_front();
  lock.unlock();
  if (const auto content = next.content.lock()) content->Prepare(next.part);
  lock.lock();
}

void StretchPool::Work(Job* job, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  bool out_of_memory = false;
  try {
    job->stretch->CheckAll();
  } catch (const std::bad_alloc&) {
    out_of_memory = true;
  }
  lock.lock();
  job->out_of_memory = out_of_memory;
  job->done = true;
  changed_.notify_all();
}

}  // namespace pmproof::validator
