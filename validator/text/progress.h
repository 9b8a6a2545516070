// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TEXT_PROGRESS_H_
#define PMPROOF_VALIDATOR_TEXT_PROGRESS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <ostream>

namespace pmproof::validator {

// Told how far a long run is. All of it may be called from several threads at once.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;

  // What there is to do; called once, before the others.
  virtual void Expect(std::uint64_t archives, std::uint64_t bytes) = 0;

  // `bytes` more of what was expected are done. Cheap: may be called for each chunk.
  virtual void AddBytes(std::uint64_t bytes) = 0;

  virtual void ArchiveDone() = 0;
};

// One line on a terminal, written over again at most ten times a second:
// "[#####.........] 12/257 archives, 1.2/3.4 GB". Wiped by the destructor.
class ProgressBar final : public ProgressSink {
 public:
  explicit ProgressBar(std::ostream& terminal);
  ~ProgressBar() override;

  void Expect(std::uint64_t archives, std::uint64_t bytes) override;
  void AddBytes(std::uint64_t bytes) override;
  void ArchiveDone() override;

 private:
  void Draw();

  std::ostream& terminal_;
  std::mutex drawing_;
  std::atomic<std::uint64_t> archives_{0};
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> archives_expected_{0};
  std::atomic<std::uint64_t> bytes_expected_{0};
  std::atomic<std::int64_t> drawn_at_{0};  // milliseconds of the steady clock
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TEXT_PROGRESS_H_
