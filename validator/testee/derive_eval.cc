// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "reference/derived/archive_operands.h"
#include "validator/replay/open_archive.h"
#include "validator/testee/derive_operations.h"
#include "validator/testee/derived_arguments.h"
#include "validator/testee/interp_run.h"
#include "validator/testee/operation.h"
#include "validator/testee/reject_class.h"

// Operation derive.eval: replay.interp with derived metrics (DER-1101), also of records as they are
// (DER-1106).

namespace pmproof::validator {
namespace {

constexpr std::string_view kKeys[] = {"derived", "config", "missing_is_novalue", "dialect", "raw"};

// The profile of a version of PCP (INT-1202).
std::string_view RuleOf(PcpVersion version) {
  return version == PcpVersion::k6_0_3 ? "pcp-legacy" : "pcp-6.3.2";
}

class DeriveEval final : public Operation {
 public:
  DeriveEval(const archive::Storage& storage, ProfileList profiles,
             const EmulationDefault& emulation, const derived::Dialect* dialect = nullptr)
      : storage_(storage),
        profiles_(std::move(profiles)),
        emulation_(emulation),
        dialect_(dialect) {}

  std::string_view name() const override { return "derive.eval"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    const DerivedArguments definitions = TakeDerived(&reader, "derived", dialect_);
    InterpOptions options;
    options.emulation = emulation_;
    options.more_keys = kKeys;
    options.rule = RuleOf(definitions.dialect->version);
    options.recorded = reader.Flag(reader.args(), "raw", "args").value_or(false);
    const InterpArguments arguments = TakeInterp(&reader, profiles_, options);
    if (reader.stopped()) return reader.Stop();
    const auto archive = OpenForReplay(storage_, arguments.paths, archive::MemoryBudget(),
                                       arguments.emulate.value_or(definitions.dialect->version));
    if (!archive) return OutcomeOf(archive.error());
    const derived::ArchiveOperands operands(**archive);
    DefinedMetrics defined(definitions, operands, /*opened=*/true);
    InterpMetrics metrics(**archive, arguments, &defined.context(), *definitions.dialect);
    return RunInterp(arguments, **archive, &metrics);
  }

 private:
  const archive::Storage& storage_;
  ProfileList profiles_;
  EmulationDefault emulation_;
  const derived::Dialect* dialect_;
};

}  // namespace

std::unique_ptr<Operation> MakeDeriveEval(const archive::Storage& storage,
                                          const ProfileList& profiles,
                                          const EmulationDefault& emulation) {
  return std::make_unique<DeriveEval>(storage, profiles, emulation);
}

std::unique_ptr<Operation> MakeDeriveEval(const archive::Storage& storage,
                                          const ProfileList& profiles,
                                          const derived::Dialect& dialect) {
  return std::make_unique<DeriveEval>(storage, profiles, EmulationDefault(), &dialect);
}

}  // namespace pmproof::validator
