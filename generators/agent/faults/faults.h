// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_GENERATORS_AGENT_FAULTS_FAULTS_H_
#define PMPROOF_GENERATORS_AGENT_FAULTS_FAULTS_H_

#include <string_view>
#include <vector>

#include "generators/agent/fault.h"

// The faults, by the subsections of section 16 of reference/spec/pmda.md. Values: each call makes
// them anew.

namespace pmproof::generators {

std::vector<Fault> StartFaults();        // 16.1, CKA-001..018
std::vector<Fault> DescriptorFaults();   // 16.2, CKA-030..033
std::vector<Fault> FetchFaults();        // 16.2, CKA-034, 035, 039..041, 046..048, 050
std::vector<Fault> ValueFaults();        // 16.2, CKA-036..038, 042..045
std::vector<Fault> EventFaults();        // 16.2, CKA-049
std::vector<Fault> ProfileFaults();      // 16.3
std::vector<Fault> InstanceFaults();     // 16.4, CKA-080..086
std::vector<Fault> MetadataFaults();     // 16.4, CKA-087..101: help, labels, names, attributes
std::vector<Fault> StoreFaults();        // 16.5
std::vector<Fault> StrayFaults();        // 16.6, CKA-130..136, 150, 154: PDUs without an answer
std::vector<Fault> MalformedFaults();    // 16.6, CKA-137..149, 155, 166
std::vector<Fault> EnduranceFaults();    // 16.6, CKA-151..162
std::vector<Fault> SubtleFaults();       // answers that decode, and say what is wrong
std::vector<Fault> UndecodableFaults();  // answers that do not decode, sometimes

// All of them in the order of the checks.
std::vector<Fault> AllFaults();

// Null if there is none.
const Fault* FindFault(const std::vector<Fault>& faults, std::string_view id);

}  // namespace pmproof::generators

#endif  // PMPROOF_GENERATORS_AGENT_FAULTS_FAULTS_H_
