// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_EXIT_TEXT_H_
#define PMPROOF_VALIDATOR_AGENT_EXIT_TEXT_H_

#include <algorithm>
#include <csignal>
#include <iterator>

#include "reference/pmda/transport/agent_process.h"

namespace pmproof::validator::agent {

// Ended by a signal; or with the exit status by which a shell or another wrapper says so of the
// agent that it ran.
inline bool IsCrash(const pmda::ExitStatus& exit) {
  if (exit.by_signal) return true;
  constexpr int kCrashes[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGPIPE};
  return std::find(std::begin(kCrashes), std::end(kCrashes), exit.number - 128) !=
         std::end(kCrashes);
}

// The same without what a collector that closes a channel, or kills, brings about.
inline bool IsOwnCrash(const pmda::ExitStatus& exit) {
  const int signal = exit.by_signal ? exit.number : exit.number - 128;
  return IsCrash(exit) && signal != SIGPIPE && signal != SIGKILL && signal != SIGTERM;
}

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_EXIT_TEXT_H_
