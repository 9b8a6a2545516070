// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "validator/testee/archive_lookup.h"
#include "validator/testee/interp_run.h"
#include "validator/testee/operation.h"

// Operation replay.raw: the records of an archive as they are, one after the other (PM_MODE_FORW,
// INT section 10).

namespace pmproof::validator {
namespace {

class ReplayRaw final : public Operation {
 public:
  ReplayRaw(const archive::Storage& storage, ProfileList profiles)
      : storage_(storage), profiles_(std::move(profiles)) {}

  std::string_view name() const override { return "replay.raw"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    InterpOptions options;
    options.recorded = true;
    const InterpArguments arguments = TakeInterp(&reader, profiles_, options);
    if (reader.stopped()) return reader.Stop();
    const auto archive = TakeArchive(&reader, storage_);
    if (reader.stopped()) return reader.Stop();
    InterpMetrics metrics(*archive, arguments, /*context=*/nullptr, derived::kV72);
    return RunInterp(arguments, *archive, &metrics);
  }

 private:
  const archive::Storage& storage_;
  ProfileList profiles_;
};

}  // namespace

std::unique_ptr<Operation> MakeReplayRaw(const archive::Storage& storage,
                                         const ProfileList& profiles) {
  return std::make_unique<ReplayRaw>(storage, profiles);
}

}  // namespace pmproof::validator
