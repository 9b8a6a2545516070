#ifndef PMPROOF_VALIDATOR_AGENT_SCRIPT_RUNNER_H_
#define PMPROOF_VALIDATOR_AGENT_SCRIPT_RUNNER_H_

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/pmda/names/name_tree.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu.h"
#include "validator/agent_dso/host_report.h"
#include "validator/agent_script/command.h"
#include "validator/agent_script/connection.h"

namespace pmproof::agent_script {

// The profile that a script keeps (PMD-406). A value.
class ScriptProfile {
 public:
  struct Entry {
    Indom indom{};
    bool excludes = false;
    std::vector<std::int32_t> instances{};
  };

  void Change(const ChangeProfile& change);
  const std::vector<Entry>& entries() const { return entries_; }
  bool excludes() const { return excludes_; }

 private:
  bool excludes_ = false;
  std::vector<Entry> entries_;
};

// Does what the commands of a script say, and prints what dbpmda prints of it.
class Runner {
 public:
  struct Options {
    std::string names_file{};  // as status shows it; empty: none
    pmda::NameTree names{};
    Connection::Patience patience{};
  };

  // What is printed goes to `out`; what dbpmda says of its own troubles goes to `err`, each line
  // behind what `place` gives.
  Runner(Options options, std::ostream& out, std::ostream& err, std::function<std::string()> place);

  // False: the script ends here.
  bool Run(const Command& command);
  // Ends the agent, if one is open, and shows the end of its log.
  void CloseAgent();
  // An agent has ended, or could not be started, or broke the protocol, at least once.
  bool broken() const { return broken_; }
  const pmda::NameTree& names() const { return options_.names; }

 private:
  void On(const OpenPipe& command);
  void On(const OpenDso& command);
  void On(const OpenSocket& command);
  void On(const Close& command);
  void On(const Describe& command);
  void On(const Fetch& command);
  void On(const ChangeProfile& command);
  void On(const ListInstances& command);
  void On(const ShowText& command);
  void On(const Store& command);
  void On(const LookUpName& command);
  void On(const LookUpPmid& command);
  void On(const ShowLabels& command);
  void On(const SendAttribute& command);
  void On(const ShowStatus& command);
  void On(const Help& command);
  void On(const Switch& command);
  void On(const LoadNames& command);
  void On(const Watch& command);
  void On(const Wait& command);
  void On(const Debug& command);
  void On(const Quit&) {}

  bool Opened();
  // Whether it is the agent now; the one before ends then.
  bool Adopt(Result<std::unique_ptr<Connection>> opened, const std::string& what);
  // The answer as the body that is expected. Nothing: said why. `sender`, `function` are what
  // dbpmda calls the sending, and the function of a shared object.
  template <typename Body>
  std::optional<Body> Ask(const pdu::Body& request, const char* sender, const char* function);
  bool SendProfile();
  std::optional<Descriptor> AskDescriptor(Pmid pmid);
  std::optional<pdu::Result> AskValues(const std::vector<Pmid>& pmids);
  void Fail(const pmda::SessionFailure& failure, const char* sender);
  std::string InstanceNameText(Indom indom, std::int32_t instance);
  void PrintValueSet(const pdu::ValueSet& set, const Descriptor* descriptor);
  void PrintLabels(const pdu::LabelSet& set);
  std::string NameText(Pmid pmid) const;
  std::ostream& Trouble();

  Options options_;
  std::ostream& out_;
  std::ostream& err_;
  std::function<std::string()> place_;
  std::unique_ptr<Connection> agent_;
  std::optional<validator::HostReportFile> host_report_;  // of a shared object
  std::vector<std::uint8_t> kept_;                        // the answer that AskValues gave views of
  pdu::Decoder decoder_;
  ScriptProfile profile_;
  bool profile_sent_ = false;
  bool getdesc_ = false;
  bool getiname_ = false;
  bool timer_ = false;
  bool broken_ = false;
  bool silent_ = false;  // a request was sent, and not answered
  std::vector<bool> debug_;
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_AGENT_SCRIPT_RUNNER_H_
