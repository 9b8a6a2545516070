// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_TYPED_RESULT_H_
#define PMPROOF_VALIDATOR_TESTEE_TYPED_RESULT_H_

#include <string>

#include "validator/testee/outcome.h"
#include "validator/testee/request_reader.h"

namespace pmproof::validator {

// The RESULT or HIGHRES_RESULT of typed values, in hexadecimal digits (`typed_result` of
// validator/schema/testee.schema.json): which values stand in situ, and where the blocks of the
// others lie, is PDU-102 to 105 and 170 to 174. `path` is how complaints name it.
Outcome EncodeTypedResult(RequestReader* reader, const Json& result, const std::string& path);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_TYPED_RESULT_H_
