// SPDX-License-Identifier: Apache-2.0
#include "validator/collector/stub_agent_process.h"

#include <poll.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::validator::collector {
namespace {

using Clock = pmda::Deadline::Clock;

constexpr std::chrono::milliseconds kBetweenTries{50};
constexpr std::chrono::seconds kPatience{60};                // with a writer's other end
constexpr std::size_t kMostWaiting = std::size_t{64} << 20;  // bytes, for a slow reader
constexpr std::size_t kMostKept = std::size_t{1} << 20;      // bytes, before anybody listens

// One direction. The collector must never have to wait for its agent: what cannot be handed on at
// once is kept.
class Relay {
 public:
  Relay(pmda::Transport& from, pmda::Transport& to) : from_(from), to_(to) {}

  // Moves what can be moved without waiting. False: one of them is gone, or far too much is kept.
  bool Move() {
    std::array<std::uint8_t, 65536> buffer;
    const pmda::Transfer read = from_.Read(buffer, pmda::Deadline::Passed());
    kept_.insert(kept_.end(), buffer.begin(),
                 buffer.begin() + static_cast<std::ptrdiff_t>(read.size));
    if (read.size == 0 && read.outcome != pmda::Transfer::Outcome::kTimeout) return false;
    while (!kept_.empty()) {
      const pmda::Transfer written = to_.Write(kept_, pmda::Deadline::Passed());
      kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(written.size));
      if (written.outcome == pmda::Transfer::Outcome::kTimeout) break;
      if (!written.moved()) return false;
    }
    return kept_.size() < kMostWaiting;
  }

  pollfd reading() const { return {from_.read_descriptor(), POLLIN, 0}; }
  // Only while there is something to be written.
  pollfd writing() const { return {kept_.empty() ? -1 : to_.write_descriptor(), POLLOUT, 0}; }

 private:
  pmda::Transport& from_;
  pmda::Transport& to_;
  std::vector<std::uint8_t> kept_{};
};

// Keeps what the collector sends until somebody listens. Null: the collector is gone.
std::unique_ptr<pmda::Transport> AwaitControl(pmda::Transport& collector,
                                              const std::string& control,
                                              std::vector<std::uint8_t>* kept) {
  while (true) {
    auto connected = pmda::Connect(pmda::Address::Unix(control), pmda::Deadline::Passed());
    if (connected) return *std::move(connected);
    const std::size_t before = kept->size();
    const pmda::Transfer read = pmda::ReadUntilQuiet(
        collector, *kept, kBetweenTries, kMostKept - before, pmda::Deadline::After(kBetweenTries));
    if (read.outcome == pmda::Transfer::Outcome::kEndOfFile ||
        read.outcome == pmda::Transfer::Outcome::kBroken || kept->size() >= kMostKept) {
      return nullptr;
    }
  }
}

}  // namespace

Result<void> RunStubAgent(const Role& role, const std::string& control) {
  const auto started = Clock::now();
  auto collector = pmda::TakeStandardStreams();
  if (!collector) return tl::unexpected(collector.error());
  const Octets opening = OpeningOf(role);
  if (!pmda::WriteAll(**collector, opening, pmda::Deadline::After(kPatience)).moved()) return {};
  std::vector<std::uint8_t> kept;
  const auto listener = AwaitControl(**collector, control, &kept);
  if (listener == nullptr) return {};
  const Introduction introduction{
      .role = &role,
      .age = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started)};
  const std::string line = introduction.ToLine();
  kept.insert(kept.begin(), line.begin(), line.end());
  if (!pmda::WriteAll(*listener, kept, pmda::Deadline::After(kPatience)).moved()) return {};
  Relay requests(**collector, *listener);
  Relay answers(*listener, **collector);
  while (true) {
    std::array<pollfd, 4> ready = {requests.reading(), requests.writing(), answers.reading(),
                                   answers.writing()};
    if (pmda::Poll(ready, pmda::Deadline::Never()) < 0) return {};
    if (!requests.Move() || !answers.Move()) return {};
  }
}

}  // namespace pmproof::validator::collector
