// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_REPLAY_OCTETS_H_
#define PMPROOF_VALIDATOR_AGENT_REPLAY_OCTETS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/bytes.h"

namespace pmproof::validator::agent {

// "00000010 00007004 00000000 3f400001": hexadecimal digits in words of four octets, as in golden
// conversations. "78*5000" is 5000 times the octet 78.
std::string OctetsText(Bytes bytes);

// Nothing where it is not such a text, or of more than `most` octets.
std::optional<std::vector<std::uint8_t>> ParseOctets(std::string_view text, std::size_t most);

}  // namespace pmproof::validator::agent

#endif  // PMPROOF_VALIDATOR_AGENT_REPLAY_OCTETS_H_
