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
  ReplayInterp(const archive::Storage& storage, ProfileList profiles)
      : storage_(storage), profiles_(std::move(profiles)) {}

  std::string_view name() const override { return "replay.interp"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const InterpArguments arguments = TakeInterp(&reader, profiles_);
    if (reader.stopped()) return reader.Stop();
    const auto archive = OpenForReplay(storage_, arguments.paths);
    if (!archive) return OutcomeOf(archive.error());
    InterpMetrics metrics(**archive, arguments, /*context=*/nullptr, derived::kV72);
    return RunInterp(arguments, **archive, &metrics);
  }

 private:
  const archive::Storage& storage_;
  ProfileList profiles_;
};

}  // namespace

std::unique_ptr<Operation> MakeReplayInterp(const archive::Storage& storage,
                                            const ProfileList& profiles) {
  return std::make_unique<ReplayInterp>(storage, profiles);
}

}  // namespace pmproof::validator
