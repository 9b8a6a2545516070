// SPDX-License-Identifier: Apache-2.0
#include "validator/protocol_check/known_library.h"

#include <algorithm>

namespace pmproof::validator::agent {
namespace {

struct Known {
  Clause id{};
  const char* because = "";
  const char* place = "";  // a glob of offences; empty: all
  bool python_only = false;
};

// Section 10.4 of reference/spec/pmda.md, and 16.1 of agents in Python.
constexpr Known kKnown[] = {
    {"CKA-018"_clause, "an agent in Python has its domain from its script and ignores -d [PMD-005]",
     "", true},
    {"CKA-050"_clause, "the fast look-up of PMIDs ignores the domain [PMD-112]",
     "*, which is not the agent's: numval [1-9]*"},
    {"CKA-089"_clause, "the ident of a TEXT has its bytes exchanged [PMD-113, PDU-066]"},
    {"CKA-105"_clause, "agents get names as strings that end at a NUL [PMD-096]"},
    {"CKA-142"_clause, "a malformed INSTANCE_REQ frees an uninitialised pointer [PMD-110]"},
    {"CKA-143"_clause, "a malformed INSTANCE_REQ frees an uninitialised pointer [PMD-110]"},
    {"CKA-144"_clause, "a malformed INSTANCE_REQ frees an uninitialised pointer [PMD-110]"},
    {"CKA-146"_clause, "INSTANCE_REQ of PM_INDOM_NULL hangs for ever [PMD-111]"},
    {"CKA-155"_clause, "malformed INSTANCE_REQs and stores end the agent [PMD-110, PMD-115]"},
    {"CKA-162"_clause, "it needs what the environment of pmcd says of PCP's folders [PMD-001]"},
    {"CKA-166"_clause, "a store that does not decode leaves a freed result behind [PMD-115]"},
};

// Those that were seen to behave so.
constexpr std::string_view kVersions[] = {"6.0.3", "6.3.8", "7.2", "7.2.2"};

}  // namespace

tl::expected<std::vector<ExpectedFailure>, std::string> KnownLibrary(std::string_view name) {
  const std::size_t colon = name.find(':');
  const std::string_view library = name.substr(0, colon);
  const std::string_view version =
      colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1);
  const bool python = library == "python";
  const bool known = (python || library == "libpcp_pmda") &&
                     std::ranges::find(kVersions, version) != std::end(kVersions);
  if (!known) {
    return tl::unexpected("there is no '" + std::string(name) +
                          "': libpcp_pmda or python, a colon, and 6.0.3, 6.3.8, 7.2 or 7.2.2");
  }
  std::vector<ExpectedFailure> failures;
  for (const Known& one : kKnown) {
    if (one.python_only && !python) continue;
    const std::string because = std::string(one.because) + " (" + std::string(name) + ")";
    failures.push_back({.id = one.id, .place = one.place, .reason = because, .strict = false});
    // Where that ends the agent, CKA-167 tells it again.
    failures.push_back({.id = "CKA-167"_clause,
                        .place = "*crashed in " + one.id.ToString() + " (*",
                        .reason = because,
                        .strict = false});
  }
  return failures;
}

}  // namespace pmproof::validator::agent
