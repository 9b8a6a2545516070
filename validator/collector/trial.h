// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_TRIAL_H_
#define PMPROOF_VALIDATOR_COLLECTOR_TRIAL_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/pdu/error_codes.h"
#include "reference/pmda/pdu/pdu_text.h"
#include "reference/pmda/pdu/stored_profile.h"
#include "validator/collector/channel.h"
#include "validator/collector/collector_under_test.h"
#include "validator/collector/requests.h"
#include "validator/collector/stub_roles.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/offences.h"
#include "validator/protocol_check/verdict.h"

// What a check is written with. A check is a straight line of requests and expectations. It goes on
// after an expectation that was not met, with clients that are in step again. As soon as it is
// decided that it cannot, nothing is sent any more, nothing waited for, and no expectation counts.

namespace pmproof::validator::collector {

class Trial;

// What came of a fetch.
struct Fetched {
  std::int32_t notice = 0;  // state changes told before the answer (PDU-116), or-ed
  Answer answer;
};

// A client of the collector.
class Client {
 public:
  using Door = CollectorUnderTest::Door;

  // `door`, which outlives this: of one whose set-up is done. Null: of another.
  Client(Trial* trial, Channel channel, const Door* door)
      : trial_(trial), channel_(std::move(channel)), door_(door) {}

  // After an offence only once it is in step again.
  void Send(Bytes bytes);
  Answer Receive();
  // A request and its answer.
  Answer Ask(Bytes request);
  // The answer to a FETCH that was sent, or is sent now: what comes after state changes (PDU-117).
  Fetched ReceiveFetched();
  Fetched Fetch(Bytes request);
  void Close();

  Channel& channel() { return channel_; }

 private:
  friend class Trial;

  // After an offence: whether the next answer will be that to the next request. A client that sent
  // no PROFILE is connected anew if that has to be.
  bool BackInStep();
  bool AnswersInTurn();

  Trial* trial_;
  Channel channel_;
  const Door* door_;
  bool has_profiles_ = false;   // beside that of its set-up
  std::uint64_t offences_ = 0;  // of the check, when it was in step
};

// A stub agent in a check.
class Stub {
 public:
  Stub(Trial* trial, const Role& role, StubAgent* agent)
      : trial_(trial), role_(role), agent_(agent) {}

  const Role& role() const { return role_; }
  unsigned generation() const { return agent_ == nullptr ? 0 : agent_->generation; }

  // The next PDU from the collector, whatever it is.
  Answer Receive();
  // Passes over PDUs that have no answer until one of this type comes, which has to. It is answered
  // by Send; by Send of nothing if it is to have no answer.
  Answer Await(pdu::PduType type);
  // How many PROFILEs Await has passed over since the last call.
  unsigned TakeProfiles();
  // The last of them.
  const pdu::Profile& profile() const { return profile_.profile(); }
  void Send(Bytes bytes);
  // The client fetches one metric of this agent, which answers with `reply`.
  Fetched Serve(Client& client, Pmid metric, Bytes reply);
  // The client sends a request, to which this agent answers with `reply`.
  Answer Serve(Client& client, Bytes request, pdu::PduType type, Bytes reply);
  // Ends the agent's process.
  void Leave();
  // Nothing may come any more but the end of the channel. False: something did, or it goes on.
  bool AwaitDrop(std::string_view about);

  StubAgent* agent() { return agent_; }

  // At the end of a check: an agent that owes an answer gives one, so that it is not dropped for a
  // check that has failed.
  void Dismiss();

 private:
  Trial* trial_;
  const Role& role_;
  StubAgent* agent_;   // null only once the verdict stands
  bool owes_ = false;  // has got a request that it has not answered
  unsigned profiles_ = 0;
  pdu::StoredProfile profile_{};
};

class Trial {
 public:
  Trial(const CollectorUnderTest& subject, agent::ExchangeLog* log)
      : subject_(subject), log_(log) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;
  ~Trial();

  const CollectorUnderTest& subject() const { return subject_; }
  agent::Verdict verdict() const { return offences_.Or(verdict_); }
  bool decided() const { return decided_; }
  // Nothing was wrong so far.
  bool sound() const { return !decided_ && !offences_.any(); }
  std::uint64_t offences() const { return offences_.count(); }

  // An offence after which the check cannot go on.
  void Fail(std::string because);
  void NotChecked(std::string because);
  // The check cannot go on, because of its offences.
  void Stop() { decided_ = true; }
  // What was seen where more than one thing is right.
  void Note(std::string_view note);
  // The offence "about: expected ..., got ..." unless `holds`, which it returns.
  bool Expect(bool holds, std::string_view about, std::string_view expected, std::string_view got);

  // The end of the time that an answer may take: less, once one did not come.
  pmda::Deadline patience() const;
  // The next PDU.
  Answer Receive(Channel& channel);

  // A client that is connected and has not read anything.
  Client& Knock(const CollectorUnderTest::Door& door);
  // One that has read the challenge.
  Client& Greet();
  // One whose set-up is done, with a profile of all instances for context 0.
  Client& Connect();
  Client& Connect(const CollectorUnderTest::Door& door);

  // A stub agent; NotChecked if it is not there.
  Stub& Call(const Role& role, unsigned generation = 1);

  // The check cannot be made without an agent that has this metric.
  void Need(Client& client, Pmid metric, std::string_view agent);

  // Expectations of an answer. `about` names the request in the message.
  template <typename T>
  const T* ExpectPdu(const Answer& answer, std::string_view about);
  void ExpectError(const Answer& answer, ErrorCode code, std::string_view about);
  // The connection is closed without a PDU.
  void ExpectClosed(const Answer& answer, std::string_view about);
  // The connection is still served.
  void ExpectUsable(Client& client, std::string_view about);
  // A RESULT of one value set, or numval <= 0 of it.
  void ExpectNumval(const Answer& answer, Pmid pmid, std::int32_t numval, std::string_view about);
  // A RESULT of one singular value in situ.
  void ExpectValue(const Answer& answer, Pmid pmid, std::int32_t value, std::string_view about);

  unsigned Number() { return ++connections_; }
  agent::ExchangeLog* log() { return log_; }

 private:
  friend class Client;

  Channel Open(const CollectorUnderTest::Door& door);
  // Reads the challenge, which lets the client in or decides the check.
  void Welcome(Client& client);
  // All that Connect does.
  void SetUp(Client& client);
  void NoteOffence(std::string because);
  void FailType(const Answer& answer, pdu::PduType expected, std::string_view about);
  const pdu::ValueSet* OneSet(const Answer& answer, Pmid pmid, std::string_view about);

  const CollectorUnderTest& subject_;
  agent::ExchangeLog* log_;
  agent::Verdict verdict_{};  // without offences
  agent::Offences offences_{};
  bool decided_ = false;
  unsigned silences_ = 0;  // answers that did not come
  unsigned at_ = 0;        // the connection that was listened to last
  unsigned connections_ = 0;
  std::deque<Client> clients_{};
  std::deque<Stub> stubs_{};
};

template <typename T>
const T* Trial::ExpectPdu(const Answer& answer, std::string_view about) {
  if (decided_) return nullptr;
  const T* const body = answer.As<T>();
  if (body == nullptr) FailType(answer, pdu::TypeOf(T{}), about);
  return body;
}

// "253.0.1 numval -12358", "-12358" as it is said in messages.
std::string SetText(const pdu::ValueSet& set);

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_TRIAL_H_
