// SPDX-License-Identifier: Apache-2.0
#define TRIVIAL 250
