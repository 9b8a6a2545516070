// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "validator/replay/open_archive.h"
#include "validator/testee/interp_run.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"

// Operation replay.interp: what the fetches of one context answer, by a rule or as a version of
// PCP.

namespace pmproof::validator {
namespace {

class ReplayInterp final : public Operation {
 public:
  ReplayInterp(const archive::Storage& storage, ProfileList profiles,
               const EmulationDefault& emulation)
      : storage_(storage), profiles_(std::move(profiles)), emulation_(emulation) {}

  std::string_view name() const override { return "replay.interp"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    InterpOptions options;
    options.emulation = emulation_;
    const InterpArguments arguments = TakeInterp(&reader, profiles_, options);
    if (reader.stopped()) return reader.Stop();
    const auto archive = OpenForReplay(storage_, arguments.paths, archive::MemoryBudget(),
                                       arguments.emulate.value_or(PcpVersion::k7_2));
    if (!archive) return OutcomeOf(archive.error());
    InterpMetrics metrics(**archive, arguments, /*context=*/nullptr, derived::kV72);
    return RunInterp(arguments, **archive, &metrics);
  }

 private:
  const archive::Storage& storage_;
  ProfileList profiles_;
  EmulationDefault emulation_;
};

}  // namespace

std::unique_ptr<Operation> MakeReplayInterp(const archive::Storage& storage,
                                            const ProfileList& profiles,
                                            const EmulationDefault& emulation) {
  return std::make_unique<ReplayInterp>(storage, profiles, emulation);
}

}  // namespace pmproof::validator
