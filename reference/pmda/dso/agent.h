// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_AGENT_H_
#define PMPROOF_REFERENCE_PMDA_DSO_AGENT_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/pmda/dso/host_values.h"
#include "reference/pmda/dso/interface.h"
#include "reference/pmda/dso/observer.h"
#include "reference/pmda/pdu/encode.h"
#include "reference/pmda/pdu/pdu.h"

namespace pmproof::dso {

// An agent whose functions are in this process, asked by PDUs: each request becomes the calls of
// 11.4, and what they return becomes the answer that a daemon would give. What the functions must
// not return is a violation, told to the observer, and is answered with an error. Pointers that
// lead nowhere are beyond that: they end the process. A resource; one thread.
class Agent {
 public:
  // `interface` is what Initialise() gave, in its place: libraries keep its address. It and
  // `observer` outlive the agent.
  Agent(Interface& interface, Observer& observer);
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // Appends the answer, or nothing to a PDU that gets none (10.2).
  void Answer(const pdu::Pdu& request, pdu::Buffer* out);

  // The function that runs, empty between calls: the process may end inside of one (DSO-033).
  const std::string_view& running() const { return running_; }

 private:
  // The requests, by their type. Others get no answer.
  void On(const pdu::Profile& request, pdu::Buffer* out);
  void On(const pdu::Fetch& request, pdu::Buffer* out);
  void On(const pdu::DescReq& request, pdu::Buffer* out);
  void On(const pdu::InstanceReq& request, pdu::Buffer* out);
  void On(const pdu::TextReq& request, pdu::Buffer* out);
  void On(const pdu::Result& request, pdu::Buffer* out);
  void On(const pdu::PmnsNames& request, pdu::Buffer* out);
  void On(const pdu::PmnsIds& request, pdu::Buffer* out);
  void On(const pdu::PmnsChild& request, pdu::Buffer* out);
  void On(const pdu::PmnsTraverse& request, pdu::Buffer* out);
  void On(const pdu::LabelReq& request, pdu::Buffer* out);
  void On(const pdu::Attr& request, pdu::Buffer* out);
  void On(const pdu::Error& request, pdu::Buffer* out);
  template <typename Other>
  void On(const Other&, pdu::Buffer*) {}

  template <typename F, typename... Arguments>
  int Call(std::string_view name, F function, Arguments... arguments);
  // A profile that includes all, where there was none yet (DSO-024).
  void EnsureProfile();

  // The values as a PDU has them. False: what the counts say cannot be trusted.
  bool AddValues(const ValueSet& set);
  void AnswerChildren(const std::string& name, bool traverse, bool status, pdu::Buffer* out);
  void AnswerError(ErrorCode code, pdu::Buffer* out);
  void AnswerNames(char** names, const int* status, int count, pdu::Buffer* out);
  void Reply(const pdu::Body& body, std::string_view function, pdu::Buffer* out);
  void Violate(Clause clause, std::string_view function, std::string message);

  Interface& interface_;
  Observer* observer_;
  std::string_view running_;
  std::int32_t client_ = 0;
  std::unique_ptr<HostProfile> profile_;
  // Of the fetch being answered: sets, their values, and the bodies of their blocks.
  std::vector<pdu::ValueSet> sets_;
  std::deque<std::vector<pdu::InstanceValue>> values_;
  std::deque<std::vector<std::uint8_t>> bodies_;
};

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_AGENT_H_
