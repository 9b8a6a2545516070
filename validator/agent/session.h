// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_SESSION_H_
#define PMPROOF_VALIDATOR_AGENT_SESSION_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/agent_process.h"
#include "validator/agent/agent_output.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/answer.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

// Requests that expect an answer, and answers, of one session or of several (CKA-158). A value.
struct Audit {
  std::uint64_t expected = 0;
  std::uint64_t received = 0;

  Audit& operator+=(const Audit& other) {
    expected += other.expected;
    received += other.received;
    return *this;
  }
};

// An agent's CREDS.
struct AgentCreds {
  std::int32_t from = 0;  // its process, so it says
  pdu::Credential version{};
};

// One agent, freshly started, and the channel to it; this end plays pmcd. Whatever the agent does,
// no call takes longer than the limits of the subject, none keeps more than a bounded part of what
// the agent sends, and nothing of the agent is left when the session is gone. Moved, not copied.
// One thread at a time.
class Session {
 public:
  using Duration = Limits::Duration;

  // Returns when the channel is there: the pipe, or the connection to where the agent listens.
  // `number` tells the agents of one check apart in the log, which outlives the session.
  static VerdictOr<Session> Start(const Subject& subject, unsigned number, ExchangeLog* log);
  // The same, and the handshake.
  static VerdictOr<Session> Open(const Subject& subject, unsigned number, ExchangeLog* log);
  Session(Session&&) noexcept = default;
  Session& operator=(Session&&) = delete;
  ~Session();

  // The first that comes from the agent, which is due as its CREDS are.
  Answer First();
  // Listens for the agent's CREDS and judges them (PDU-130); what it asks for.
  VerdictOr<AgentCreds> ReceiveCreds();
  // pmcd's part (PDU-131).
  void SendCreds(std::uint8_t version = pdu::kProtocolVersion);
  // Listens for the ERROR(PM_ERR_PMDAREADY) of an agent that says when it is ready (PMD-049).
  VerdictOr<void> ReceiveReady();
  // The same where the agent's entry has `notready`; nothing of another agent. It follows
  // SendCreds.
  VerdictOr<void> BecomeReady();
  // A client on a unix socket has come: ATTR of its process, group and user, which are pmproof's,
  // to an agent that asked for attributes; nothing to another (PMD-027, PMD-028).
  void Introduce(std::int32_t client);
  // All of it, with client 0, and PROFILE(context 0, all instances): what section 16 supposes.
  VerdictOr<void> Handshake();

  // Sends, whatever the agent does meanwhile; what it writes is kept for Next(). A broken channel
  // shows in the answer that does not come.
  void Send(const pdu::Body& body, std::int32_t from = 0);
  void Send(Bytes bytes);

  // The next PDU, which is due, or why there is none within T.
  Answer Next();
  // The next PDU, if there is one within `limit`; nothing need come.
  Answer Next(Duration limit);

  // Send and Next. To an agent that is not ready, and says so, the request is sent again when it
  // says that it is ready, as pmcd does (PMD-048). Bytes are one request, which expects an answer.
  Answer Ask(const pdu::Body& request, std::int32_t from = 0);
  Answer Ask(Bytes request);
  // Send and Next, whatever comes.
  Answer AskOnce(const pdu::Body& request, std::int32_t from = 0);

  // The channel, for who measures it after the handshake: what passes there is neither in the log
  // nor in the audit.
  pmda::Transport& channel() { return transport(); }

  // Sends `unit` over and over and reads nothing, until the agent has taken no byte for `quiet`, or
  // `limit` bytes are sent; how often all of it was sent. Its answers, `each` to a unit, come by
  // Next() after it (CKA-153).
  std::size_t Fill(Bytes unit, unsigned each, Duration quiet, std::size_t limit);

  // So many answers are due more than the requests made it seem.
  void ExpectMore(std::uint64_t answers) { audit_.expected += answers; }

  // The answer if it is a T; else the verdict that says what came instead.
  template <typename T>
  VerdictOr<Answer> Expect(const pdu::Body& request, std::int32_t from = 0) {
    Answer answer = Ask(request, from);
    if (answer.As<T>() != nullptr) return answer;
    return Failed(Unexpected(request, answer, pdu::TypeOf(T{})));
  }
  // Passes if the answer is an ERROR with this code.
  Verdict ExpectError(const pdu::Body& request, ErrorCode code);

  void CloseRequests();  // the agent reads end-of-file
  void CloseReplies();   // what the agent writes is broken (not over inet)

  // Listens until the agent's process has ended, or the limit is over, and gives how it ended.
  // `surplus` is what it still wrote. Call CloseRequests before.
  struct Ended {
    bool in_time = false;
    std::optional<pmda::ExitStatus> exit{};
    std::uint64_t surplus = 0;  // bytes

    // "exit status 0", "it is still running after 2 s"
    std::string text{};
  };
  Ended WaitForEnd();

  // The agent dies at once, while the channel is open.
  void Kill();

  // Ends the agent now, and tells what became of it and all it started.
  pmda::Ending End(const pmda::Patience& patience);

  const Subject& subject() const { return *subject_; }
  const Limits& limits() const { return subject_->limits; }
  // What came last was no PDU, though one was due: nothing that comes later can be told from it.
  bool lost() const { return lost_; }
  // Of the agent's process: CREDS should name it (CKA-003).
  pid_t process() const { return memory_ ? memory_->process() : process_->process(); }
  // What it holds; the error: it has ended, or is not a process of its own.
  VerdictOr<pmda::ProcessResources> Resources() const;
  // How long its processes, and this thread, which asks it, have been ready to run and had no
  // processor; 0 where nothing tells.
  std::chrono::nanoseconds WaitedForProcessor() const;
  // The flags of the agent's CREDS, once they came.
  std::uint16_t flags() const { return flags_; }
  // Bytes that came and are not a whole PDU.
  Bytes unread() const { return frames_->unread(); }
  // Of the requests sent as pdu::Body, and of all PDUs read after the handshake.
  const Audit& audit() const { return audit_; }
  ExchangeLog& log() { return *log_; }
  unsigned number() const { return number_; }

  // "DESC_REQ pmid=253.0.0: ERROR -12366 (PM_ERR_IPC), where DESC is due"
  static std::string Unexpected(const pdu::Body& request, const Answer& answer, pdu::PduType due);

 private:
  Session(const Subject& subject, unsigned number, ExchangeLog* log);

  pmda::Transport& transport() { return *transport_; }
  WaitLimits& waits() const { return *subject_->waits; }
  // Next; while that says that the agent is not ready, waits until it is and calls `again`, which
  // sends the request once more.
  template <typename Again>
  Answer NextOfReady(Again&& again);
  // What is waited for: something that need not come, an answer, or the first CREDS of an agent.
  enum class Due { kNothing, kAnswer, kCreds };
  Answer Await(Duration limit, Due due);
  bool Pull(pmda::Deadline deadline);
  Answer Broken();
  std::optional<pmda::ExitStatus> WaitForExit(pmda::Deadline deadline);
  std::string EndText();
  std::string ExitText();  // empty: it has not ended
  void FindLog(pid_t said);
  // What the agent said besides PDUs, as it is known by now: of its log, then of standard error.
  std::vector<AgentOutput> Output();

  const Subject* subject_;
  unsigned number_;
  ExchangeLog* log_;
  std::unique_ptr<AgentInMemory> memory_{};  // one of these two
  std::unique_ptr<pmda::AgentProcess> process_{};
  std::unique_ptr<pmda::Transport> transport_{};
  std::time_t began_ = 0;
  AgentLogFile log_file_{};
  std::unique_ptr<pdu::FrameReader> frames_;
  bool ended_ = false;  // nothing comes any more
  bool gone_ = false;   // after End
  bool lost_ = false;
  bool silent_ = false;  // what was due did not come
  std::uint16_t flags_ = 0;
  Audit audit_{};
  std::size_t unanswered_ = 0;  // bytes sent since the last PDU came
  pdu::Buffer buffer_{};
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_SESSION_H_
