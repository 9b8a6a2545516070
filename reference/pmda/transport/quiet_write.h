// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_QUIET_WRITE_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_QUIET_WRITE_H_

#include <sys/types.h>

#include "reference/core/bytes.h"

namespace pmproof::pmda {

// write() that gives EPIPE and no SIGPIPE (PDU-013). Sockets have MSG_NOSIGNAL; for pipes the
// signal is blocked in this thread meanwhile, and taken away if this write raised it. Neither the
// disposition nor a SIGPIPE that was pending before is touched.
ssize_t QuietWrite(int descriptor, Bytes from);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_QUIET_WRITE_H_
