// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_ARCHIVE_LOOKUP_H_
#define PMPROOF_VALIDATOR_TESTEE_ARCHIVE_LOOKUP_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"
#include "reference/replay/replay_archive.h"
#include "validator/testee/request_reader.h"

// What the operations that look something up in an archive have in common.

namespace pmproof::validator {

// The archive of a request, as `version` opens it; nothing where `reader` stops, as it does where
// it cannot be opened.
std::unique_ptr<replay::ReplayArchive> TakeArchive(RequestReader* reader,
                                                   const archive::Storage& storage,
                                                   PcpVersion version = PcpVersion::k7_2);

// args.KEY; nothing, and no complaint, where there is none.
std::optional<Timestamp> TakeTime(RequestReader* reader, const char* key);

// The metric of a name: kNonLeaf for an inner node of the name space, also where a metric has the
// same name (ARC-309), kName for what is neither.
tl::expected<Pmid, ErrorCode> FindMetric(const replay::ReplayArchive& archive,
                                         std::string_view name);

// The names by which a metric can be looked up, in ascending order.
std::vector<std::string> NamesOf(const replay::ReplayArchive& archive,
                                 const replay::ReplayMetric& metric);

// {"type","semantics","indom","units"}.
Json DescriptorJson(const Descriptor& descriptor, PcpVersion version);

// {"status"}, and "error" if that is one.
Json CodeJson(ErrorCode status);

// As a value of type string is written: bytes that are not UTF-8 as "base64:...".
std::string TextOf(std::string_view bytes);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_ARCHIVE_LOOKUP_H_
