// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_BENCH_H_
#define PMPROOF_VALIDATOR_AGENT_BENCH_H_

#include "validator/agent/knowledge.h"
#include "validator/agent/session.h"
#include "validator/agent/subject.h"
#include "validator/protocol_check/exchange_log.h"
#include "validator/protocol_check/verdict.h"

namespace pmproof::validator::agent {

// What one check works with. It lives as long as the check. One thread.
class Bench {
 public:
  Bench(const Subject& subject, const Knowledge& knowledge)
      : subject_(subject), knowledge_(knowledge) {}
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  const Subject& subject() const { return subject_; }
  const Limits& limits() const { return subject_.limits; }
  const Knowledge& knowledge() const { return knowledge_; }
  ExchangeLog& log() { return log_; }

  // A fresh agent, nothing said yet.
  VerdictOr<Session> Start() { return Start(subject_); }
  // Another way to start it; `subject` outlives the session.
  VerdictOr<Session> Start(const Subject& subject) {
    return Session::Start(subject, ++agents_, &log_);
  }

  // A fresh agent, handshake done, PROFILE(context 0, include all) sent.
  VerdictOr<Session> Open() { return Open(subject_); }
  VerdictOr<Session> Open(const Subject& subject) {
    return Session::Open(subject, ++agents_, &log_);
  }

  // DESC_REQ(M) gives a correct DESC, as the first answer there is. M may be any metric; of an
  // agent of which none is known, any one answer does.
  Verdict Probe(Session& session) const;

  // Sends each PDU, and passes if the agent stays silent: the probe's answer comes first.
  Verdict Silent(Session& session, const pdu::Body& body, std::int32_t from = 0) const;
  Verdict Silent(Session& session, Bytes bytes) const;

 private:
  const Subject& subject_;
  const Knowledge& knowledge_;
  ExchangeLog log_{};
  unsigned agents_ = 0;
};

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_BENCH_H_
