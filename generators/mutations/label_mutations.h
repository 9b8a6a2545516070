#ifndef PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.3 that take more than a field: of texts, of all times of an archive, of the
// version of a file.

namespace pmproof::generators {

Lack FullTimezone(ArchivePlan& plan, Random& random);
Lack FullHost(ArchivePlan& plan, Random& random);
Lack FullZoneinfo(ArchivePlan& plan, Random& random);
Lack BytesBehindAText(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack NoHost(ArchivePlan& plan, Random& random);
Lack NoTimezone(ArchivePlan& plan, Random& random);
Lack UnknownTimezone(ArchivePlan& plan, Random& random);
Lack UnknownZoneinfo(ArchivePlan& plan, Random& random);
Lack ControlInTimezone(ArchivePlan& plan, Random& random);
Lack ControlInHost(ArchivePlan& plan, Random& random);
Lack ControlInZoneinfo(ArchivePlan& plan, Random& random);
Lack TimezoneWithColon(ArchivePlan& plan, Random& random);

Lack TimesBefore1990(ArchivePlan& plan, Random& random);
Lack TimesInTheFuture(ArchivePlan& plan, Random& random);
Lack TimesBehind32Bits(ArchivePlan& plan, Random& random);

Lack IndexOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random& random);
Lack MetaOfTheOtherVersion(ArchiveImage& image, const ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_LABEL_MUTATIONS_H_
