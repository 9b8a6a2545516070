// SPDX-License-Identifier: Apache-2.0
#include "validator/check/report/disclosure.h"

namespace pmproof::validator {

const char* ToText(Private kind) {
  switch (kind) {
    case Private::kHost:
      return "host";
    case Private::kAddress:
      return "address";
    case Private::kUser:
      return "user";
    case Private::kCommand:
      return "command";
    case Private::kPath:
      return "path";
    case Private::kIdentifier:
      return "identifier";
  }
  return "";
}

}  // namespace pmproof::validator
