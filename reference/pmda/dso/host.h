// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_HOST_H_
#define PMPROOF_REFERENCE_PMDA_DSO_HOST_H_

#include <cstdint>
#include <string>

#include "reference/pmda/dso/library.h"
#include "reference/pmda/dso/observer.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::dso {

// How a host came to its end.
enum class HostEnd : std::uint8_t {
  kEndOfFile,   // the collector closed the channel, or broke the framing (PMD-062, PMD-063)
  kNotStarted,  // the agent could not be loaded or refused to start; the observer knows why
  kChannel,     // the channel failed at this end: most likely the agent closed it (DSO-033)
};

// Makes a daemon agent of a shared-object agent: loads it, initialises it, and serves it over
// `transport` until that ends, so that whoever checks daemons checks it too. Runs the agent's code
// in this process: to be called in a process that may die, once.
HostEnd RunHost(const LibraryName& name, std::uint32_t domain, pmda::Transport& transport,
                Observer& observer);

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_HOST_H_
