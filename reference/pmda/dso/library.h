// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_DSO_LIBRARY_H_
#define PMPROOF_REFERENCE_PMDA_DSO_LIBRARY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "reference/pmda/dso/interface.h"
#include "reference/pmda/dso/observer.h"

namespace pmproof::dso {

// FILE[:INIT] as the command line has it.
struct LibraryName {
  std::string file{};
  std::string init{};  // "sample_init" for "pmda_sample.so" where none was given

  static LibraryName Parse(std::string_view text);
  friend bool operator==(const LibraryName&, const LibraryName&) = default;
};

// Loads the shared object into this process and returns its init function. Returns null, after
// telling the observer why, if either fails. The object is never unloaded: it may have started
// threads and installed handlers.
Init Load(const LibraryName& name, Observer& observer);

// Calls init (DSO-020) and judges what it left (DSO-021). Returns nothing if no host would go on.
std::unique_ptr<Interface> Initialise(Init init, std::uint32_t domain, Observer& observer);

}  // namespace pmproof::dso

#endif  // PMPROOF_REFERENCE_PMDA_DSO_LIBRARY_H_
