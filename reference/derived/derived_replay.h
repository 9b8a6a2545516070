// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_DERIVED_DERIVED_REPLAY_H_
#define PMPROOF_REFERENCE_DERIVED_DERIVED_REPLAY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "reference/derived/answer_order.h"
#include "reference/derived/archive_instances.h"
#include "reference/derived/derived_context.h"
#include "reference/derived/evaluate.h"
#include "reference/derived/instance_index.h"
#include "reference/replay/replay.h"

// Derived metrics among those of a replay (DER-1101).

namespace pmproof::derived {

// What a list of metrics, some of them derived, asks of the archive, and its answers. Only operands
// are interpolated, if they are. It remembers what one context does of its derived metrics, through
// all fetches in the order they are given. A resource: not copied.
class DerivedReplay {
 public:
  struct Request {
    std::vector<Pmid> metrics{};  // in the order of the answers; may repeat, may be unknown
    replay::InstanceProfile instances{};
    // By how many nanoseconds a fetch moves the context on: instances are looked up at the position
    // after it (DER-O2).
    std::int64_t step = 0;
    // DER-1106: the fetches are those of replay::ReadRecorded(), whose values have their own order.
    bool recorded = false;
  };

  // `archive` must outlive this. A metric that `archive` has is not derived, whatever its
  // identifier is (DER-1203); one that does not bind in `context` answers PM_ERR_PMID (DER-710).
  DerivedReplay(const replay::ReplayArchive& archive, DerivedContext* context,
                const Dialect& dialect, Request request);
  DerivedReplay(const DerivedReplay&) = delete;
  DerivedReplay& operator=(const DerivedReplay&) = delete;

  // What has to be fetched instead of Request::metrics: those of them that are not derived, then
  // operands, each once; never empty. A request to replay::ReadRecorded() has these as its metrics.
  const std::vector<Pmid>& fetched() const { return fetched_; }

  // Request::step of the fetches that come, where pmSetMode has been called.
  void set_step(std::int64_t step) { step_ = step; }

  // The answer to fetched() as one to Request::metrics; it holds as long as `fetch`, and until the
  // next one. Pairs ascend by instance, also those of derived metrics, which are evaluated in the
  // order of PCP's answers.
  const replay::FetchAnswer& Take(const replay::FetchAnswer& fetch);

 private:
  class Operands;

  // A metric of the request.
  struct Listed {
    std::size_t fetched = 0;  // its position in fetched(), unless it is derived
    std::size_t derived = 0;  // else in derived_; none if it did not bind
    enum class Kind : std::uint8_t { kFetched, kDerived, kUnbound } kind = Kind::kFetched;
  };
  // Each once: a metric that is listed twice has one memory (DER-1102).
  struct Derived {
    Evaluator evaluator;
    std::vector<std::size_t> operands;  // positions in fetched()
    InstanceIndex index{};              // of the latest values
  };

  Listed ListDerived(const Definition& definition, DerivedContext* context, const Dialect& dialect);
  std::size_t Fetched(Pmid pmid);
  void OrderOperands();
  void Evaluate(Derived* derived, const replay::FetchAnswer& fetch, replay::MetricAnswer* answer);

  const replay::ReplayArchive& archive_;
  const std::vector<Pmid> metrics_;
  std::int64_t step_;
  const bool recorded_;
  std::vector<Listed> listed_;  // of each metric of the request
  std::vector<Pmid> fetched_;
  std::map<Pmid, std::size_t> fetched_positions_;
  std::vector<Derived> derived_;
  std::map<Pmid, std::size_t> derived_positions_;
  ArchiveInstances instances_;    // where the context is after the fetch (DER-O2)
  ArchiveInstances names_;        // where the fetch is (DER-1114)
  std::vector<ValueSet> values_;  // of each operand in fetched(), of the current fetch
  std::vector<bool> is_operand_;  // of each in fetched()
  std::map<Indom, AnswerOrder> orders_;
  std::vector<AnswerOrder*> order_;  // of each in fetched(); null: as fetched
  replay::FetchAnswer answer_;
};

}  // namespace pmproof::derived

#endif  // PMPROOF_REFERENCE_DERIVED_DERIVED_REPLAY_H_
