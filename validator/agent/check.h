// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_CHECK_H_
#define PMPROOF_VALIDATOR_AGENT_CHECK_H_

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "reference/core/clause.h"
#include "validator/agent/bench.h"
#include "validator/protocol_check/verdict.h"

// The checks of section 16 of reference/spec/pmda.md.
//
// How a check is added:
//  1. Its text (title, severity, clauses, what, why, remedy) goes into
//     validator/catalogue/checks/agent_*.json, the file of its section; `pmproof list` and
//     `explain` read it from there, and severity and the mark "destroys" of a check are said
//     nowhere else.
//  2. Its code is one function in the file of its theme, such as descriptor_checks.cc, of one of
//     these kinds:
//       Verdict DescriptorsAreWellFormed(Bench& bench, Session& session);
//         The usual one: `session` is a fresh agent, handshake done, client 0 introduced,
//         PROFILE(0, all) sent. Where the function gives a pass, the runner sends the probe, which
//         must succeed.
//       Verdict CredsComeFirst(Bench& bench);
//         Starts its agents itself (bench.Start(), bench.Open()), and probes where it is due.
//       Verdict OneAnswerEach(const std::vector<Done>& others, Bench& bench);
//         Judges what happened in all others, which have been run before.
//  3. A line with its clause in the list of that file, e.g. {"CKA-030"_clause, DescriptorsAre...};
//     a new file adds its list to AllChecks (all_checks.cc). A test holds that list against the
//     catalogue.
//
// A check says why it cannot be made (Verdict::NotChecked), and never passes without having looked
// at anything. What another check reports it does not report again: where it cannot be made
// because of that, it leaves it to that one (LeftTo), and fails if that one does not report it,
// so that no offence that was seen is lost. One that looks at many things goes on after an offence
// (OffenceWalk). It asks the agent through its session only, so that the log has every octet; what
// comes back is hostile (Answer is bounded, and decoded as Answer::kStrictness says). It waits for
// answers, never for time: silence is shown by the probe's answer that comes first (bench.Silent).
// Time limits are session.limits(). A store to a known metric is made only if
// bench.knowledge().MayStore(pmid).

namespace pmproof::validator::agent {

// A check that has been made.
struct Done {
  Clause id{};
  Verdict verdict{};
  Audit audit{};
  std::string crash{};  // how the process of one of its agents crashed; empty: none did
};

struct Check {
  using OnSession = Verdict (*)(Bench& bench, Session& session);
  using Alone = Verdict (*)(Bench& bench);
  using AfterAll = Verdict (*)(const std::vector<Done>& others, Bench& bench);

  enum Kind : std::uint8_t {
    kUsual,
    kSlow,   // by its nature: only made with --slow
    kLong,   // begun before others, so that nothing waits for it in the end
    kBasic,  // needs nothing but that the agent can be started: made where the handshake fails, too
    kEarly,  // basic, and asks the agent nothing: may be made before anything is known of it
  };

  Clause id{};
  std::variant<OnSession, Alone, AfterAll> run{};
  Kind kind = kUsual;

  bool basic() const { return kind == kBasic || kind == kEarly; }
};

std::span<const Check> StartAndEndChecks();   // 16.1
std::span<const Check> RestartChecks();       // 16.1
std::span<const Check> DescriptorChecks();    // 16.2
std::span<const Check> FetchChecks();         // 16.2
std::span<const Check> ValueChecks();         // 16.2
std::span<const Check> EventChecks();         // 16.2
std::span<const Check> PlausibilityChecks();  // 16.2
std::span<const Check> ProfileChecks();       // 16.3
std::span<const Check> InstanceChecks();      // 16.4
std::span<const Check> HelpChecks();          // 16.4
std::span<const Check> LabelChecks();         // 16.4
std::span<const Check> NameChecks();          // 16.4
std::span<const Check> AttributeChecks();     // 16.4
std::span<const Check> StoreChecks();         // 16.5
// 16.6
std::span<const Check> SilenceChecks();
std::span<const Check> FramingChecks();
std::span<const Check> BrokenRequestChecks();
std::span<const Check> BrokenNameChecks();
std::span<const Check> BrokenStoreChecks();
std::span<const Check> StreamChecks();
std::span<const Check> LoadChecks();
std::span<const Check> ReadinessChecks();
std::span<const Check> HeaderChecks();

std::span<const Check> DsoChecks();  // 16.6, of shared objects

// All there are, in the order of their identifiers.
std::vector<Check> AllChecks();

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_CHECK_H_
