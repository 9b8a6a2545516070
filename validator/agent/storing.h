// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_STORING_H_
#define PMPROOF_VALIDATOR_AGENT_STORING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/pdu/result_pdus.h"
#include "validator/agent/bench.h"

// Values to be stored, and what a store gives: for store_checks.cc.

namespace pmproof::validator::agent {

// A value with bytes of its own, as it is on the wire: to be stored, and stored again.
struct StoreItem {
  std::int32_t instance = kInstanceNull;
  pdu::ValueFormat format = pdu::ValueFormat::kInsitu;
  std::uint32_t word = 0;                  // in situ
  MetricType type = MetricType::kUnknown;  // of the block
  std::vector<std::uint8_t> body{};

  static StoreItem InSitu(std::uint32_t word, std::int32_t instance = kInstanceNull);
  static StoreItem Block(MetricType type, Bytes body, std::int32_t instance = kInstanceNull);
  static StoreItem Text(std::string text, std::int32_t instance = kInstanceNull);  // adds the NUL
  // `number` fits the type, which is a numeric one.
  static StoreItem Number(double number, MetricType type, std::int32_t instance);
  // The first value of what was fetched; that of `instance`, if one is given.
  static std::optional<StoreItem> FirstOf(const pdu::ValueSet& set,
                                          std::optional<std::int32_t> instance = {});

  pdu::InstanceValue View() const {
    return {.instance = instance, .word = word, .type = type, .body = std::span(body)};
  }
};

// The value set of one metric: one value, or none and a status.
struct StoreSet {
  Pmid pmid{};
  std::optional<StoreItem> item{};
  ErrorCode status = ErrorCode::kOk;
};

struct StoreTimes {
  std::int32_t seconds = 0;
  std::int32_t microseconds = 0;
};

// The code, 0 or negative, of the ERROR that answers a store; anything else is a failure. What the
// caller asks next shows a second answer.
VerdictOr<ErrorCode> Store(Session& session, const std::vector<StoreSet>& sets,
                           StoreTimes times = {});
// The same, and the probe after it: there was exactly one answer.
VerdictOr<ErrorCode> StoreAndProbe(Bench& bench, Session& session,
                                   const std::vector<StoreSet>& sets, StoreTimes times = {});

// Other values than `old`, far enough from it that a metric that moves on by itself can be told
// from one that was set. Empty for types of which no value is made up.
std::vector<StoreItem> OtherValues(const StoreItem& old, MetricType type);

// Whether both are one value, in whichever form.
bool Same(const StoreItem& a, const StoreItem& b, MetricType type);

// Whether `now` is what was stored, or what became of it since, and not of what was before.
bool Shows(const StoreItem& now, const StoreItem& stored, const StoreItem& old, MetricType type);

// Whether `now` is as if nothing had been stored: no further from `before` than a metric comes that
// moved on from `earlier` to `before`. False where it moves too fast to tell.
bool Lost(const StoreItem& now, const StoreItem& stored, const StoreItem& before,
          const StoreItem& earlier, MetricType type);

// For a sentence: "50", "\"pmproof\"".
std::string ValueText(const StoreItem& item, MetricType type);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_STORING_H_
