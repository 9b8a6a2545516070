// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_OPENING_H_
#define PMPROOF_VALIDATOR_DBPMDA_OPENING_H_

#include "validator/dbpmda/command.h"
#include "validator/dbpmda/conversation.h"

// Opens the agent that a command names, and ends the one that was open (PMD-400..402).

namespace pmproof::agent_script {

void Open(const OpenPipe& command, const Connection::Patience& patience, Conversation& talk);
// One that cannot be opened leaves the agent before it open (PMD-416).
void Open(const OpenDso& command, const Connection::Patience& patience, Conversation& talk);
void Open(const OpenSocket& command, const Connection::Patience& patience, Conversation& talk);

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_OPENING_H_
