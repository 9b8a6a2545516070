// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/subject_text.h"

namespace pmproof::validator::agent {

std::string TransportText(const Subject& subject) {
  if (subject.pipe()) return "pipe";
  switch (subject.address->kind) {
    case pmda::Address::Kind::kUnix:
      return "unix";
    case pmda::Address::Kind::kInet:
      return "inet";
    case pmda::Address::Kind::kInet6:
      return "ipv6";
  }
  return "";
}

std::string SourceText(Knowledge::Source source) {
  switch (source) {
    case Knowledge::Source::kNothing:
      return "nothing";
    case Knowledge::Source::kPmnsFile:
      return "--pmns";
    case Knowledge::Source::kTraverse:
      return "PMNS_TRAVERSE";
    case Knowledge::Source::kScan:
      return "a scan of PMIDs";
  }
  return "";
}

}  // namespace pmproof::validator::agent
