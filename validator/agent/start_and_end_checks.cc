#include "validator/agent/check.h"

// 16.1 Start and end.

namespace pmproof::validator::agent {
namespace {

// CKA-001
Verdict CredsComeFirst(Bench& bench) {
  auto session = bench.Start();
  if (!session) return session.error();
  const auto creds = session->ReceiveCreds();
  if (!creds) return creds.error();
  if (creds->version() == pdu::kProtocolVersion) return Verdict::Pass();
  return Verdict::Fail("the agent's CREDS have version " + std::to_string(creds->version()) +
                       ", where 2 is due");
}

constexpr Check kChecks[] = {
    {"CKA-001"_clause, CredsComeFirst, /*slow=*/false, /*basic=*/true},
};

}  // namespace

std::span<const Check> StartAndEndChecks() { return kChecks; }

}  // namespace pmproof::validator::agent
