// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "reference/pmda/transport/log_ring.h"

// The guardian: the process between this one and an agent (agent_process.h). It is forked, maybe
// from a program with threads, and executes nothing; so all that runs in it is async-signal-safe:
// no memory is allocated, no lock taken, nothing but system calls.
namespace pmproof::pmda {

// Between the two ends of a SOCK_SEQPACKET pair. Its end-of-file means, on either side, that the
// other process is gone.
struct GuardianOrder {
  enum class Kind : std::uint8_t {
    kWatch,   // the start was noted: reap from now on
    kSignal,  // `signal` to the agent
    kEnd,     // kill all that is left and end
  };
  Kind kind;
  int signal;
};

struct GuardianReport {
  enum class Kind : std::uint8_t {
    kStarted,     // `process`
    kNotStarted,  // `step` failed with `number`, an errno
    kExited,      // the agent: `by_signal`, `number`
    kAllGone,     // nothing is left, and the guardian ends
  };
  enum class Step : std::uint8_t { kFork, kStreams, kDirectory, kUser, kExecute };
  Kind kind;
  Step step;
  bool by_signal;
  int number;
  pid_t process;
};

// All that the guardian and the agent need, made before the fork. Views only.
struct GuardianTask {
  int control = -1;  // the guardian's end
  int log = -1;      // the reading end of the agent's log, O_NONBLOCK
  const LogRing* ring = nullptr;

  int standard[3] = {-1, -1, -1};  // the agent's descriptors 0, 1, 2; -1: closed
  char* const* words = nullptr;
  char* const* environment = nullptr;
  const char* directory = nullptr;  // null: inherited
  bool core_files = false;
  bool change_user = false;
  uid_t user = 0;
  gid_t group = 0;
  const gid_t* groups = nullptr;
  std::size_t group_count = 0;
};

// Called in the forked child, with all signals blocked.
[[noreturn]] void RunGuardian(const GuardianTask& task);

// Called in the guardian's child: becomes the agent, or writes a GuardianReport of kNotStarted to
// `failure` and ends.
[[noreturn]] void RunAgent(const GuardianTask& task, pid_t guardian, int failure);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_GUARDIAN_H_
