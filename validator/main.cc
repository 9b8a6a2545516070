// SPDX-License-Identifier: Apache-2.0
#include "validator/cli/program.h"

int main(int argc, char** argv) { return pmproof::validator::RunProgram(argc, argv); }
