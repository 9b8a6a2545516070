// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_OPERATION_H_
#define PMPROOF_VALIDATOR_TESTEE_OPERATION_H_

#include <memory>
#include <string_view>
#include <vector>

#include "reference/archive/storage.h"
#include "validator/cli/environment.h"
#include "validator/testee/emulation_default.h"
#include "validator/testee/outcome.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {

// One operation of the testee protocol. Keeps nothing from request to request that shows.
class Operation {
 public:
  virtual ~Operation() = default;
  virtual std::string_view name() const = 0;  // "replay.interp"
  // `request`: the object of the run command, of which only `cmd` and `op` have been looked at.
  virtual Outcome Run(const Json& request) = 0;
};

// One factory for each operation, each in a file of its own. Storage and catalogue outlive what
// they make.
std::unique_ptr<Operation> MakeReplayInterp(const archive::Storage& storage,
                                            const ProfileList& profiles,
                                            const EmulationDefault& emulation);
std::unique_ptr<Operation> MakeDeriveEval(const archive::Storage& storage,
                                          const ProfileList& profiles,
                                          const EmulationDefault& emulation);
std::unique_ptr<Operation> MakeDeriveParse(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveDecode(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveDescribe(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveIndom(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveLabels(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveText(const archive::Storage& storage);
std::unique_ptr<Operation> MakeArchiveValidate(const archive::Storage& storage,
                                               const Catalogue& catalogue);
std::unique_ptr<Operation> MakeArchiveWrite(const archive::Storage& storage);
std::unique_ptr<Operation> MakeConfigurationParse();
std::unique_ptr<Operation> MakeHelpParse();
std::unique_ptr<Operation> MakeNamesParse();
std::unique_ptr<Operation> MakePduDecode();
std::unique_ptr<Operation> MakePduEncode();
std::unique_ptr<Operation> MakeReplayRaw(const archive::Storage& storage,
                                         const ProfileList& profiles);
std::unique_ptr<Operation> MakeUnitsConvert();
std::unique_ptr<Operation> MakeUnitsParse();
std::unique_ptr<Operation> MakeValueExtract();
std::unique_ptr<Operation> MakeValueFormat();

inline std::vector<std::unique_ptr<Operation>> AllOperations(
    const archive::Storage& storage, const Catalogue& catalogue, const ProfileList& profiles,
    const EmulationDefault& emulation = {}) {
  std::vector<std::unique_ptr<Operation>> operations;
  operations.push_back(MakeArchiveDecode(storage));
  operations.push_back(MakeArchiveValidate(storage, catalogue));
  operations.push_back(MakeArchiveWrite(storage));
  operations.push_back(MakeArchiveDescribe(storage));
  operations.push_back(MakeArchiveIndom(storage));
  operations.push_back(MakeArchiveLabels(storage));
  operations.push_back(MakeArchiveText(storage));
  operations.push_back(MakeReplayInterp(storage, profiles, emulation));
  operations.push_back(MakeReplayRaw(storage, profiles));
  operations.push_back(MakeDeriveParse(storage));
  operations.push_back(MakeDeriveEval(storage, profiles, emulation));
  operations.push_back(MakeUnitsParse());
  operations.push_back(MakeUnitsConvert());
  operations.push_back(MakeValueFormat());
  operations.push_back(MakeValueExtract());
  operations.push_back(MakePduDecode());
  operations.push_back(MakePduEncode());
  operations.push_back(MakeNamesParse());
  operations.push_back(MakeHelpParse());
  operations.push_back(MakeConfigurationParse());
  return operations;
}

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_OPERATION_H_
