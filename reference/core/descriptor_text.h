// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_DESCRIPTOR_TEXT_H_
#define PMPROOF_REFERENCE_CORE_DESCRIPTOR_TEXT_H_

#include <string>

#include "reference/core/metric.h"
#include "reference/core/pcp_version.h"

// Descriptors as PCP prints them (MET-111..135). ToText() of metric.h gives the forms of this
// project.

namespace pmproof {

// "U32", "HIGHRES_EVENT", "NO_SUPPORT"; "???" for what is not a type.
std::string TypeSymbol(MetricType type);

// "32-bit unsigned int", "Not Supported"; "??? (N)".
std::string TypeDescription(MetricType type);

// The two lines of a descriptor's dump, each with its line feed; one for a metric that is not
// supported (MET-135).
std::string DescriptorText(const Descriptor& descriptor, PcpVersion version);

}  // namespace pmproof

#endif  // PMPROOF_REFERENCE_CORE_DESCRIPTOR_TEXT_H_
