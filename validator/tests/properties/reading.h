// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_PROPERTIES_READING_H_
#define PMPROOF_VALIDATOR_TESTS_PROPERTIES_READING_H_

#include <string>
#include <vector>

#include "reference/archive/storage.h"

// What somebody who reads an archive gets to see of it, whatever form it has: volumes, compression,
// index, deltas, version of the archive. For properties that say that two forms are one archive.

namespace pmproof::validator::testing {

// A line for the label, one for each help text, and one for each data record in the order of
// reading: its time and, for each value set, the names and the descriptor of the metric, the labels
// in force at that time (ARC-400) and the values, with the names that their instances have then
// (ARC-346). A line that begins with "!" says what could not be read. All times, those of events
// too, are counted from the start that the label states.
//
// Nothing of this goes by way of the models: the bytes are decoded as views (record_reader.h,
// metadata.h, data_record.h).
std::vector<std::string> ReadArchive(const archive::Storage& storage, const std::string& name);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_PROPERTIES_READING_H_
