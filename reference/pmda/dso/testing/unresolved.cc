// SPDX-License-Identifier: Apache-2.0
// A shared-object agent with a symbol that is nowhere (CKA-165): called only by a fetch, so that it
// loads lazily (DSO-042).

#include "reference/pmda/dso/interface.h"

extern "C" {
int pmproof_symbol_that_is_nowhere(int);

void unresolved_init(pmproof::dso::Interface* interface) {
  interface->version = 2;
  interface->pmapi = 2;
  interface->fetch = [](int count, std::uint32_t*, pmproof::dso::Result**,
                        pmproof::dso::Extension*) { return pmproof_symbol_that_is_nowhere(count); };
}
}
