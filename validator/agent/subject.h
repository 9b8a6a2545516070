#ifndef PMPROOF_VALIDATOR_AGENT_SUBJECT_H_
#define PMPROOF_VALIDATOR_AGENT_SUBJECT_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/transport/address.h"
#include "reference/pmda/transport/agent_command.h"
#include "validator/agent/limits.h"

namespace pmproof::validator::agent {

// The agent that is checked: how it is started, and how much patience there is. A value.
struct Subject {
  pmda::AgentCommand command{};
  std::optional<pmda::Address> address{};  // where it listens; nothing: a pipe (PMD-001)
  // Of a shared object (--dso), whose host is the command: where its hosts report (HostReport).
  std::optional<std::string> host_report{};
  Limits limits{};

  bool pipe() const { return !address.has_value(); }
};

// The command of `subject` with more words behind it.
inline Subject With(Subject subject, const std::vector<std::string>& words) {
  subject.command.words.insert(subject.command.words.end(), words.begin(), words.end());
  return subject;
}

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_SUBJECT_H_
