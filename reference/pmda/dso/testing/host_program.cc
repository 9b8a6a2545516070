// SPDX-License-Identifier: Apache-2.0
// The host as a program of its own, for tests: host_program FILE[:INIT] DOMAIN. What the observer
// learns goes to standard error, a line each.

#include <cstdlib>
#include <iostream>

#include "reference/pmda/dso/host.h"
#include "reference/pmda/transport/descriptor_transport.h"

namespace {

class Lines final : public pmproof::dso::Observer {
 public:
  void OnLoad(const pmproof::dso::LoadFacts& facts) override {
    std::cerr << "load: loaded " << facts.loaded << " resolved " << facts.all_resolved << " init "
              << facts.init_found << ' ' << facts.problem << std::endl;
  }
  void OnInit(const pmproof::dso::InitFacts& facts) override {
    std::cerr << "init: status " << facts.status << " version " << facts.version << " pmapi "
              << facts.pmapi << " flags " << facts.flags;
    for (const std::string& name : facts.missing) std::cerr << " missing " << name;
    std::cerr << (facts.refused.empty() ? "" : " refused: ") << facts.refused << std::endl;
  }
  void OnViolation(const pmproof::dso::Violation& violation) override {
    std::cerr << "violation: " << violation.clause.ToString() << ' ' << violation.function << "() "
              << violation.message << std::endl;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto transport = pmproof::pmda::TakeStandardStreams();
  if (!transport) return 5;
  Lines lines;
  const auto end =
      pmproof::dso::RunHost(pmproof::dso::LibraryName::Parse(argv[1]),
                            static_cast<std::uint32_t>(std::atoi(argv[2])), **transport, lines);
  return end == pmproof::dso::HostEnd::kNotStarted ? 3 : 0;
}
