// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CHECK_DISCLOSURE_FIND_DISCLOSURES_H_
#define PMPROOF_VALIDATOR_CHECK_DISCLOSURE_FIND_DISCLOSURES_H_

#include <functional>
#include <map>
#include <string>

#include "reference/archive/archive_label.h"
#include "reference/archive/layout.h"
#include "reference/archive/metadata.h"
#include "validator/check/open_volume.h"
#include "validator/check/report/disclosure.h"

namespace pmproof::validator {

// What is searched. Everything outlives the search.
struct SearchedArchive {
  std::map<archive::Part, const archive::ArchiveLabel*> labels;  // of the files that have one
  const archive::Metadata& metadata;
  std::function<std::string(archive::Part)> name;
  std::function<OpenVolume(archive::Part)> open;  // one volume is open at a time
};

// Finds what an archive tells of people and machines (private_text.h): in its labels, instance
// names, label sets, help texts and values, events included. Only what can be decoded is looked at.
// Takes as long as reading the volumes; memory is that of the result and of the metrics.
Disclosures FindDisclosures(const SearchedArchive& archive);

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CHECK_DISCLOSURE_FIND_DISCLOSURES_H_
