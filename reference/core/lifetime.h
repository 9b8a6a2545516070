// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_CORE_LIFETIME_H_
#define PMPROOF_REFERENCE_CORE_LIFETIME_H_

// Marks a function whose result is a view into its object (written after the parameter list), or
// into one of its arguments (written after that parameter). Clang warns where such a view outlives
// a temporary, and warnings are errors; gcc has no such check.
#if defined(__clang__)
#define PMPROOF_LIFETIME_BOUND [[clang::lifetimebound]]
#else
#define PMPROOF_LIFETIME_BOUND
#endif

#endif  // PMPROOF_REFERENCE_CORE_LIFETIME_H_
