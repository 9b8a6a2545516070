// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/reference_agents/reference_program.h"

int main(int argc, char** argv) { return pmproof::pmda::ReferenceAgentMain("simple", argc, argv); }
