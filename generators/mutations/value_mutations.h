// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_
#define PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_

#include "generators/mutation.h"

// Edits of section 14.9 that are in files of their own.

namespace pmproof::generators {

// Instances, and the records of their domains (ARC-1802..1807).
NotApplicable SingularMetricWithAnInstance(ArchivePlan& plan, Random& random);
NotApplicable SingularMetricWithTwoValues(ArchivePlan& plan, Random& random);
NotApplicable SingularNumberWithTwoValues(ArchivePlan& plan, Random& random);
NotApplicable ValueWithoutAnInstance(ArchivePlan& plan, Random& random);
NotApplicable UnknownInstance(ArchivePlan& plan, Random& random);
NotApplicable InstanceNotThereYet(ArchivePlan& plan, Random& random);
NotApplicable InstanceNoLongerThere(ArchivePlan& plan, Random& random);
NotApplicable DomainAfterItsFirstValue(ArchivePlan& plan, Random& random);
NotApplicable DomainLost(ArchivePlan& plan, Random& random);
NotApplicable MetricWithoutDomain(ArchivePlan& plan, Random& random);

// How values are stored (ARC-1808..1814, ARC-1829, ARC-1834, ARC-1835).
NotApplicable InsituOfLongType(ArchivePlan& plan, Random& random);
NotApplicable BlockOfSmallType(ArchivePlan& plan, Random& random);
NotApplicable BlockOfAnotherTypeForSmall(ArchivePlan& plan, Random& random);
NotApplicable BlockOfAnotherType(ArchivePlan& plan, Random& random);
NotApplicable BlockOfOldType(ArchivePlan& plan, Random& random);
NotApplicable NumberTooShort(ArchivePlan& plan, Random& random);
NotApplicable NumberOfOtherLength(ArchivePlan& plan, Random& random);
NotApplicable TextWithoutNul(ArchivePlan& plan, Random& random);
NotApplicable TextGoesOnAfterItsNul(ArchivePlan& plan, Random& random);
NotApplicable TextThatActsOnATerminal(ArchivePlan& plan, Random& random);
NotApplicable TextThatIsNoUtf8(ArchivePlan& plan, Random& random);
NotApplicable FormatChanges(ArchivePlan& plan, Random& random);
NotApplicable StaticAggregate(ArchivePlan& plan, Random& random);

// Numbers (ARC-1825, ARC-1828, ARC-1831).
NotApplicable CounterDecreases(ArchivePlan& plan, Random& random);
NotApplicable NewCounterDecreases(ArchivePlan& plan, Random& random);
NotApplicable CounterNegative(ArchivePlan& plan, Random& random);
NotApplicable NoFiniteNumber(ArchivePlan& plan, Random& random);

// Event arrays of either kind (ARC-1815..1824, ARC-1826).
NotApplicable NumberOfEventsNegative(ArchivePlan& plan, Random& random);
NotApplicable EventsBeyondTheBlock(ArchivePlan& plan, Random& random);
NotApplicable ParametersBeyondTheBlock(ArchivePlan& plan, Random& random);
NotApplicable ParameterTooShort(ArchivePlan& plan, Random& random);
NotApplicable ParameterBeyondTheBlock(ArchivePlan& plan, Random& random);
NotApplicable MissedFlagNotAlone(ArchivePlan& plan, Random& random);
NotApplicable ParameterWithoutDescriptor(ArchivePlan& plan, Random& random);
NotApplicable ParameterOfAnotherType(ArchivePlan& plan, Random& random);
NotApplicable EventFractionTooLarge(ArchivePlan& plan, Random& random);
NotApplicable EventFractionNegative(ArchivePlan& plan, Random& random);
NotApplicable UnknownEventFlag(ArchivePlan& plan, Random& random);
NotApplicable BytesBehindTheEvents(ArchivePlan& plan, Random& random);
NotApplicable NoEvents(ArchivePlan& plan, Random& random);
NotApplicable NoRoomForTheNumberOfEvents(ArchivePlan& plan, Random& random);
NotApplicable EventsOutOfOrder(ArchivePlan& plan, Random& random);
NotApplicable EventLongAfterItsRecord(ArchivePlan& plan, Random& random);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_MUTATIONS_VALUE_MUTATIONS_H_
