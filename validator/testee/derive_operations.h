// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_DERIVE_OPERATIONS_H_
#define PMPROOF_VALIDATOR_TESTEE_DERIVE_OPERATIONS_H_

#include <memory>

#include "reference/derived/dialect.h"
#include "validator/testee/operation.h"

namespace pmproof::validator {

// The operations on derived metrics in a dialect that need not be one of a version. Requests that
// name a dialect are answered in that. All arguments but the profiles outlive what is made.
std::unique_ptr<Operation> MakeDeriveParse(const archive::Storage& storage,
                                           const derived::Dialect& dialect);
std::unique_ptr<Operation> MakeDeriveEval(const archive::Storage& storage,
                                          const ProfileList& profiles,
                                          const derived::Dialect& dialect);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_DERIVE_OPERATIONS_H_
