// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_OBSERVER_H_
#define PMPROOF_REFERENCE_PMDA_DSO_OBSERVER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/clause.h"

namespace pmproof::dso {

// What came of loading a shared object (DSO-020, CKA-165). A value.
struct LoadFacts {
  bool loaded = false;
  bool all_resolved = false;  // with RTLD_NOW
  std::string problem{};      // the dynamic loader's words, where either is false
  bool init_found = false;

  friend bool operator==(const LoadFacts&, const LoadFacts&) = default;
};

// What init left in the interface, and what a host thinks of it (DSO-021, CKA-164). A value.
struct InitFacts {
  int status = 0;
  int version = 0;  // of the interface
  int pmapi = 0;
  std::uint32_t flags = 0;
  std::vector<std::string> missing{};  // functions of that version that are null
  std::string refused{};               // why no host takes it; empty: it does

  friend bool operator==(const InitFacts&, const InitFacts&) = default;
};

// Something that an agent must not do, seen in one call.
struct Violation {
  Clause clause{};
  std::string_view function{};  // "fetch"; "init"
  std::string message{};        // "returned 3 and no value sets"
};

// Learns what a host learns of its agent, as soon as it is known: the next call may be the agent's
// last. May be called while the process ends.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  virtual void OnLoad(const LoadFacts& facts) = 0;
  virtual void OnInit(const InitFacts& facts) = 0;
  virtual void OnViolation(const Violation& violation) = 0;
};

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_OBSERVER_H_
