// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_TRANSPORT_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_TRANSPORT_H_

#include <memory>
#include <utility>

#include "reference/core/status.h"
#include "reference/pmda/transport/descriptor.h"
#include "reference/pmda/transport/transport.h"

namespace pmproof::pmda {

// Over two descriptors of any kind: pipes, sockets, files. No call blocks beyond its deadline,
// whether they are set O_NONBLOCK or not; that flag is left as it is, because descriptors that came
// from elsewhere may be shared with others. Exception: a descriptor without O_NONBLOCK that is no
// socket must not be read by anybody else at the same time.
std::unique_ptr<Transport> MakePipeTransport(Descriptor read, Descriptor write);

// Over one connected stream socket.
std::unique_ptr<Transport> MakeSocketTransport(Descriptor socket);

// Both ends of a connection within this process: {collector, agent}.
using TransportPair = std::pair<std::unique_ptr<Transport>, std::unique_ptr<Transport>>;
Result<TransportPair> MakePipePair();
Result<TransportPair> MakeSocketPair();

// The agent's side of PMD-001: takes over descriptors 0 and 1 of this process. Descriptor 0 becomes
// /dev/null and 1 a copy of 2 (standard error), so that what the agent's code prints reaches its
// log and never gets between two PDUs. SIGPIPE is ignored from then on, unless the process has a
// handler for it (PDU-013). Once in the life of a process.
Result<std::unique_ptr<Transport>> TakeStandardStreams();

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_DESCRIPTOR_TRANSPORT_H_
