#ifndef PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.9 that are in files of their own.

namespace pmproof::generators {

// Instances, and the records of their domains (ARC-1802..1807).
Lack SingularMetricWithAnInstance(ArchivePlan& plan, Random& random);
Lack SingularMetricWithTwoValues(ArchivePlan& plan, Random& random);
Lack SingularNumberWithTwoValues(ArchivePlan& plan, Random& random);
Lack ValueWithoutAnInstance(ArchivePlan& plan, Random& random);
Lack UnknownInstance(ArchivePlan& plan, Random& random);
Lack InstanceNotThereYet(ArchivePlan& plan, Random& random);
Lack InstanceNoLongerThere(ArchivePlan& plan, Random& random);
Lack DomainAfterItsFirstValue(ArchivePlan& plan, Random& random);
Lack DomainLost(ArchivePlan& plan, Random& random);
Lack MetricWithoutDomain(ArchivePlan& plan, Random& random);

// How values are stored (ARC-1808..1814, ARC-1829).
Lack InsituOfLongType(ArchivePlan& plan, Random& random);
Lack BlockOfSmallType(ArchivePlan& plan, Random& random);
Lack BlockOfAnotherTypeForSmall(ArchivePlan& plan, Random& random);
Lack BlockOfAnotherType(ArchivePlan& plan, Random& random);
Lack BlockOfOldType(ArchivePlan& plan, Random& random);
Lack NumberTooShort(ArchivePlan& plan, Random& random);
Lack NumberOfOtherLength(ArchivePlan& plan, Random& random);
Lack TextWithoutNul(ArchivePlan& plan, Random& random);
Lack TextGoesOnAfterItsNul(ArchivePlan& plan, Random& random);
Lack FormatChanges(ArchivePlan& plan, Random& random);
Lack StaticAggregate(ArchivePlan& plan, Random& random);

// Numbers (ARC-1825, ARC-1828, ARC-1831).
Lack CounterDecreases(ArchivePlan& plan, Random& random);
Lack NewCounterDecreases(ArchivePlan& plan, Random& random);
Lack CounterNegative(ArchivePlan& plan, Random& random);
Lack NoFiniteNumber(ArchivePlan& plan, Random& random);

// Event arrays of either kind (ARC-1815..1824, ARC-1826).
Lack NumberOfEventsNegative(ArchivePlan& plan, Random& random);
Lack EventsBeyondTheBlock(ArchivePlan& plan, Random& random);
Lack ParametersBeyondTheBlock(ArchivePlan& plan, Random& random);
Lack ParameterTooShort(ArchivePlan& plan, Random& random);
Lack ParameterBeyondTheBlock(ArchivePlan& plan, Random& random);
Lack MissedFlagNotAlone(ArchivePlan& plan, Random& random);
Lack ParameterWithoutDescriptor(ArchivePlan& plan, Random& random);
Lack ParameterOfAnotherType(ArchivePlan& plan, Random& random);
Lack EventFractionTooLarge(ArchivePlan& plan, Random& random);
Lack EventFractionNegative(ArchivePlan& plan, Random& random);
Lack UnknownEventFlag(ArchivePlan& plan, Random& random);
Lack BytesBehindTheEvents(ArchivePlan& plan, Random& random);
Lack NoEvents(ArchivePlan& plan, Random& random);
Lack NoRoomForTheNumberOfEvents(ArchivePlan& plan, Random& random);
Lack EventsOutOfOrder(ArchivePlan& plan, Random& random);
Lack EventLongAfterItsRecord(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_
