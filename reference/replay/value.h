#ifndef PMPROOF_REFERENCE_REPLAY_VALUE_H_
#define PMPROOF_REFERENCE_REPLAY_VALUE_H_

#include "reference/core/value.h"

namespace pmproof::replay {

using pmproof::Value;

}  // namespace pmproof::replay

#endif  // PMPROOF_REFERENCE_REPLAY_VALUE_H_
