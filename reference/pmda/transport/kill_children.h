// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_TRANSPORT_KILL_CHILDREN_H_
#define PMPROOF_REFERENCE_PMDA_TRANSPORT_KILL_CHILDREN_H_

#include <sys/types.h>

// Killing what is below a subreaper. All async-signal-safe.
namespace pmproof::pmda {

// A descriptor of /proc, or -1.
int OpenProc();

// One round: kills all children of this process, with all in their process groups that are not its
// own. What they started becomes a child of this process by that, and is for the next round. False:
// there was no child, not even a zombie.
//
// A group is killed at once, which no fork can escape; it can have no stranger in it, since each
// child is in a session that began below this process.
bool KillChildren(int proc);

// Of a child that has not been waited for.
void KillGroupOf(pid_t child);

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_TRANSPORT_KILL_CHILDREN_H_
