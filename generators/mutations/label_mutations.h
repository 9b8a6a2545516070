// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.3 that take more than a field: of texts, of all times of an archive, of the
// version of a file.

namespace pmproof::generators {

NotApplicable FullTimezone(ArchivePlan& plan, Random& random);
NotApplicable FullHost(ArchivePlan& plan, Random& random);
NotApplicable FullZoneinfo(ArchivePlan& plan, Random& random);
NotApplicable BytesBehindAText(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable NoHost(ArchivePlan& plan, Random& random);
NotApplicable PathAsHost(ArchivePlan& plan, Random& random);
NotApplicable HostOfOtherCharacters(ArchivePlan& plan, Random& random);
NotApplicable PathAsTimezone(ArchivePlan& plan, Random& random);
NotApplicable PathAsZoneinfo(ArchivePlan& plan, Random& random);
NotApplicable NoTimezone(ArchivePlan& plan, Random& random);
NotApplicable UnknownTimezone(ArchivePlan& plan, Random& random);
NotApplicable UnknownZoneinfo(ArchivePlan& plan, Random& random);
NotApplicable ControlInTimezone(ArchivePlan& plan, Random& random);
NotApplicable ControlInHost(ArchivePlan& plan, Random& random);
NotApplicable ControlInZoneinfo(ArchivePlan& plan, Random& random);
NotApplicable TimezoneWithColon(ArchivePlan& plan, Random& random);

NotApplicable TimesBefore1990(ArchivePlan& plan, Random& random);
NotApplicable TimesInTheFuture(ArchivePlan& plan, Random& random);
NotApplicable TimesBehind32Bits(ArchivePlan& plan, Random& random);

NotApplicable IndexOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random& random);
NotApplicable MetaOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_
