#include "validator/collector/puppet_agent.h"

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
constexpr std::chrono::seconds kPatience{60};            // with a writer's other end
constexpr std::size_t kMostKept = std::size_t{1} << 20;  // bytes, before anybody listens

enum class Moved { kSome, kEnd };

// Hands on what there is to read. kEnd: one of them is gone.
Moved Relay(pmda::Transport& from, pmda::Transport& to) {
  std::array<std::uint8_t, 65536> buffer;
  const pmda::Transfer read = from.Read(buffer, pmda::Deadline::Passed());
  if (read.size == 0) {
    return read.outcome == pmda::Transfer::Outcome::kTimeout ? Moved::kSome : Moved::kEnd;
  }
  const Bytes bytes = Bytes(buffer).first(read.size);
  return pmda::WriteAll(to, bytes, pmda::Deadline::After(kPatience)).moved() ? Moved::kSome
                                                                             : Moved::kEnd;
}

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

Result<void> RunPuppet(const Role& role, const std::string& control) {
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
  while (true) {
    std::array<pollfd, 2> ready = {
        {{(*collector)->read_descriptor(), POLLIN, 0}, {listener->read_descriptor(), POLLIN, 0}}};
    if (pmda::Poll(ready, pmda::Deadline::Never()) < 0) return {};
    if (ready[0].revents != 0 && Relay(**collector, *listener) == Moved::kEnd) return {};
    if (ready[1].revents != 0 && Relay(*listener, **collector) == Moved::kEnd) return {};
  }
}

}  // namespace pmproof::validator::collector
