// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTS_REPLAY_ANY_ARCHIVE_H_
#define PMPROOF_VALIDATOR_TESTS_REPLAY_ANY_ARCHIVE_H_

#include <rapidcheck.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "generators/archive_image.h"
#include "generators/random.h"

// What properties of replay are about: archives by chance, and times by chance that have to do with
// them. Whatever else a property chooses it draws from a generators::Random, so that it is a
// function of an archive and a seed.

namespace pmproof::validator::testing {

// An archive, or several that are one, each after the one before; and where they come from.
struct AnyArchive {
  std::vector<generators::ArchivePlan> plans;
  std::string origin;

  const generators::ArchivePlan& plan() const { return plans.front(); }
};

inline void showValue(const AnyArchive& archive, std::ostream& out) { out << archive.origin; }

// One archive that PCP reads: of a story (generators/arbitrary), in which anything may happen but
// redefinitions, or, now and then, of scenarios (generators/scenarios); seldom with times that go
// back at any record.
rc::Gen<AnyArchive> ArchivesToReplay();

// Two archives, the second of which begins whole seconds after the first one, and at least two
// milliseconds after its end (nearer ones: INT-905, DEV-16).
rc::Gen<AnyArchive> SetsToReplay();

// Of all data records, in record order.
std::vector<Timestamp> TimesOfRecords(const AnyArchive& archive);

// Times to ask for, in any order, some more than once: those of records, beside them by a
// nanosecond, around half of the way between two, anywhere between, before the start and after the
// end, by less and by more than the millisecond of INT-206.
std::vector<Timestamp> AnyTimes(const AnyArchive& archive, generators::Random& random,
                                std::size_t count);

}  // namespace pmproof::validator::testing

#endif  // PMPROOF_VALIDATOR_TESTS_REPLAY_ANY_ARCHIVE_H_
