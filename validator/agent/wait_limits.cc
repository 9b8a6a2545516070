// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/wait_limits.h"

#include <algorithm>

namespace pmproof::validator::agent {
namespace {

using Duration = WaitLimits::Duration;

// After so many waits in vain: first a tenth of T, later still far more than an agent needs.
Duration Shortened(Duration limit, unsigned times) {
  constexpr Duration kFirst{500};
  constexpr Duration kLeast{100};
  if (times == 0) return limit;
  return std::min(limit, std::max(kLeast, kFirst / times));
}

}  // namespace

WaitLimits::WaitLimits(std::optional<Duration> budget) {
  if (budget) end_ = Clock::now() + *budget;
}

std::shared_ptr<WaitLimits> WaitLimits::AfterASilence() const {
  auto limits = std::make_shared<WaitLimits>();
  limits->end_ = end_;
  limits->WasSilent(Duration(0));
  return limits;
}

Duration WaitLimits::ForAnswer(Duration limit, std::size_t bytes) const {
  constexpr std::size_t kEachMillisecond = 100;  // of requests that are large
  const Duration more(bytes / kEachMillisecond);
  const unsigned silences = silences_.times;
  return Within(silences == 0 ? limit : std::min(limit, Shortened(limit, silences) + more));
}

Duration WaitLimits::ForCreds(Duration limit) const {
  return Within(Shortened(limit, starts_.times));
}

Duration WaitLimits::ForEnd(Duration limit) const { return Within(Shortened(limit, lingerings_)); }

pmda::Patience WaitLimits::ForCleanUp(bool silent) const {
  constexpr Duration kByItself{300};
  constexpr Duration kTerminated{200};
  constexpr Duration kShort{20};
  // Once, the machine may have been busy.
  constexpr unsigned kOften = 2;
  const bool lingers = lingerings_ > 0;
  return {.by_itself = silent || lingers || terminated_ >= kOften ? kShort : kByItself,
          .terminated = lingers || killed_ > 0 ? kShort : kTerminated,
          .descendants = Duration(0)};
}

void WaitLimits::WasEnded(pmda::Ending::By by) {
  if (by != pmda::Ending::By::kItself) ++terminated_;
  if (by == pmda::Ending::By::kKill) ++killed_;
}

Duration WaitLimits::Within(Duration limit) const {
  if (!end_) return limit;
  const auto left = std::chrono::ceil<Duration>(*end_ - Clock::now());
  return std::clamp(left, Duration(0), limit);
}

}  // namespace pmproof::validator::agent
