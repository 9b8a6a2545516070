// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_CONVERSATION_H_
#define PMPROOF_VALIDATOR_DBPMDA_CONVERSATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/pdu.h"
#include "validator/agent/host/host_report.h"
#include "validator/dbpmda/connection.h"
#include "validator/dbpmda/profile.h"

namespace pmproof::agent_script {

// What a script has with the agent that it has opened. Where an answer is not what was asked for,
// that is printed as dbpmda does (PMD-414): what the agent says to out(), dbpmda's own troubles to
// trouble(). All that asks needs an agent to be open. The agent ends with this.
class Conversation {
 public:
  // Trouble goes to `err`, each line after what `place` gives.
  Conversation(std::ostream& out, std::ostream& err, std::function<std::string()> place)
      : out_(out), err_(err), place_(std::move(place)) {}

  std::ostream& out() { return out_; }
  std::ostream& trouble() { return err_ << place_(); }
  // An agent has ended, or could not be started, or broke the protocol, at least once.
  bool broken() const { return broken_; }
  void set_broken() { broken_ = true; }
  // Trouble of that kind.
  std::ostream& failure();

  // Null: none is open.
  Connection* agent() { return agent_.get(); }
  bool is_dso() const { return agent_ != nullptr && agent_->is_dso(); }
  // Of a shared object.
  dso::InitFacts facts() const;
  // Whether it is the agent now; the one before ends then. `what` was tried.
  bool Adopt(Result<std::unique_ptr<Connection>> opened, const std::string& what,
             std::optional<validator::HostReportFile> report = std::nullopt);
  // Ends the agent, if one is open, and shows the end of its log.
  void Close();
  void Finish(Connection& agent);

  // The answer as the body that is expected. Nothing: said why. `sender`, `function` are what
  // dbpmda calls the sending, and the function of a shared object. Views hold until the next call.
  template <typename Body>
  std::optional<Body> Ask(const pdu::Body& request, const char* sender, const char* function) {
    const auto answer = Answer(request, pdu::TypeOf(Body()), sender, function);
    if (!answer) return std::nullopt;
    return std::get<Body>(*answer);
  }
  // Whether nothing at all came to the last of them.
  bool silent() const { return silent_; }
  // An ERROR in answer to what asks for one.
  void Say(ErrorCode code, const char* function);
  bool Send(const pdu::Body& request, const char* sender);

  std::optional<Descriptor> AskDescriptor(Pmid pmid);
  // The views hold until the next call of this, whatever else is asked in between.
  std::optional<pdu::Result> AskValues(const std::vector<Pmid>& pmids);
  // In quotes; "???" where there is none, for whatever reason.
  std::string InstanceName(Indom indom, std::int32_t instance);

  const ScriptProfile& profile() const { return profile_; }
  void Change(const ChangeProfile& change);
  bool profile_sent() const { return profile_sent_; }
  // Unless the agent has it.
  bool SendProfile();

 private:
  std::optional<pdu::Body> Answer(const pdu::Body& request, pdu::PduType due, const char* sender,
                                  const char* function);
  void Fail(const pmda::SessionFailure& failure, const char* sender);

  std::ostream& out_;
  std::ostream& err_;
  std::function<std::string()> place_;
  std::unique_ptr<Connection> agent_{};
  std::optional<validator::HostReportFile> host_report_{};  // of a shared object
  ScriptProfile profile_{};
  bool profile_sent_ = false;
  std::vector<std::uint8_t> kept_{};  // the answer that AskValues gave views of
  pdu::Decoder decoder_{};
  bool broken_ = false;
  bool silent_ = false;
};

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_CONVERSATION_H_
