// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_INTERP_METRICS_H_
#define PMPROOF_VALIDATOR_TESTEE_INTERP_METRICS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "reference/derived/derived_context.h"
#include "reference/derived/derived_replay.h"
#include "reference/replay/replay_archive.h"
#include "validator/testee/interp_arguments.h"
#include "validator/testee/interp_text.h"

namespace pmproof::validator {

// The metrics of a request, found in an archive and among the derived ones of a context: what has
// to be fetched for them, and what they answer to it. A derived metric remembers what it does
// through all fetches that ask for it (DER-1131). A resource: not copied.
class InterpMetrics {
 public:
  // `context`: null without derived metrics. All outlive this.
  InterpMetrics(const replay::ReplayArchive& archive, const InterpArguments& arguments,
                derived::DerivedContext* context, const derived::Dialect& dialect);
  InterpMetrics(const InterpMetrics&) = delete;
  InterpMetrics& operator=(const InterpMetrics&) = delete;

  // What is fetched, each once; empty if that is nothing.
  const std::vector<Pmid>& fetched() const { return fetched_; }
  const replay::InstanceProfile& instances() const { return instances_; }

  // A metric in a list of the request.
  struct Listed {
    const InterpMetric* metric = nullptr;
    derived::DerivedReplay* derived = nullptr;  // null: not derived, or not bound
    bool refused = false;                       // PM_ERR_PMID, without being fetched (DER-710)
    // Where in List::fetched the metric, or its operands, stand.
    std::vector<std::size_t> answers{};

    // The answer of what is neither fetched nor derived.
    ErrorCode status() const { return refused ? ErrorCode::kPmid : ErrorCode::kName; }
  };
  struct List {
    std::vector<Listed> metrics;
    std::vector<std::size_t> fetched;  // positions in fetched()
  };
  // Those of the request, in its order.
  const std::vector<List>& lists() const { return lists_; }

  // By how much the next fetches move the context on (DER-O2).
  void SetStep(replay::Delta delta);

 private:
  struct Known {
    InterpMetric text;
    std::vector<std::size_t> fetched;  // the metric, or its operands, in fetched_
    std::unique_ptr<derived::DerivedReplay> derived;
    bool unbound = false;  // a derived metric that did not bind
  };

  Known Find(const std::string& name, const replay::ReplayArchive& archive,
             const InterpArguments& arguments, derived::DerivedContext* context);
  void Describe(const Descriptor& descriptor, const InterpArguments& arguments, Known* known);
  std::size_t Fetched(Pmid pmid);

  std::vector<Known> known_;  // by the names of the request
  std::vector<Pmid> fetched_;
  std::map<Pmid, std::size_t> positions_;
  std::set<Indom> domains_;
  replay::InstanceProfile instances_;
  std::vector<List> lists_;
};

// What a derived metric answers to a fetch of `list`, whose answers are `answers`.
const replay::MetricAnswer& Derive(const InterpMetrics::Listed& listed, Timestamp time,
                                   const std::vector<replay::MetricAnswer>& answers);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_INTERP_METRICS_H_
