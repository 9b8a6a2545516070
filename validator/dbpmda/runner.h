// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_RUNNER_H_
#define PMPROOF_VALIDATOR_DBPMDA_RUNNER_H_

#include <functional>
#include <ostream>
#include <string>

#include "reference/pmda/names/name_tree.h"
#include "validator/dbpmda/command.h"
#include "validator/dbpmda/conversation.h"
#include "validator/dbpmda/opening.h"
#include "validator/dbpmda/status_text.h"

namespace pmproof::agent_script {

// Does what the commands of a script say, and prints what dbpmda prints of it.
class Runner {
 public:
  struct Options {
    std::string names_file{};  // as status shows it; empty: none
    pmda::NameTree names{};
    Connection::Patience patience{};
  };

  // What is printed goes to `out`; what dbpmda says of its own troubles goes to `err`, each line
  // after what `place` gives.
  Runner(Options options, std::ostream& out, std::ostream& err, std::function<std::string()> place);

  // False: the script ends here.
  bool Run(const Command& command);
  // Ends the agent, if one is open, and shows the end of its log.
  void CloseAgent() { talk_.Close(); }
  // An agent has ended, or could not be started, or broke the protocol, at least once.
  bool broken() const { return talk_.broken(); }
  const pmda::NameTree& names() const { return options_.names; }

 private:
  void On(const OpenPipe& command) { Open(command, options_.patience, talk_); }
  void On(const OpenDso& command) { Open(command, options_.patience, talk_); }
  void On(const OpenSocket& command) { Open(command, options_.patience, talk_); }
  void On(const Close& command);
  void On(const Describe& command);
  void On(const Fetch& command);
  void On(const ChangeProfile& command) { talk_.Change(command); }
  void On(const ListInstances& command);
  void On(const ShowText& command);
  void On(const Store& command);
  void On(const LookUpName& command);
  void On(const LookUpPmid& command);
  void On(const ShowLabels& command);
  void On(const SendAttribute& command);
  void On(const ShowStatus& command);
  void On(const Help& command);
  void On(const Switch& command) { settings_.Change(command); }
  void On(const LoadNames& command);
  void On(const Watch&) {}
  void On(const Wait& command);
  void On(const Debug& command) { settings_.Change(command); }
  void On(const Quit&) {}

  bool Opened();

  Options options_;
  std::ostream& out_;
  Conversation talk_;
  Settings settings_{};
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_RUNNER_H_
