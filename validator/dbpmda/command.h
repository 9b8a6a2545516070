// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_COMMAND_H_
#define PMPROOF_VALIDATOR_DBPMDA_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/core/identifiers.h"
#include "reference/core/metric.h"
#include "reference/pmda/pdu/session_pdus.h"

// The commands of section 15 as values.

namespace pmproof::agent_script {

struct OpenPipe {  // PMD-400
  std::vector<std::string> words{};
};
struct OpenDso {  // PMD-401
  std::string file{};
  std::string init{};
  std::uint32_t domain = 0;
};
struct OpenSocket {  // PMD-402
  enum class Kind : std::uint8_t { kUnix, kInet, kIpv6 };
  Kind kind = Kind::kUnix;
  std::string path{};
  std::uint16_t port = 0;
};
struct Close {};   // PMD-403
struct Describe {  // PMD-404
  Pmid pmid{};
};
struct Fetch {  // PMD-405
  std::vector<Pmid> pmids{};
};
struct ChangeProfile {  // PMD-406
  enum class Change : std::uint8_t { kAll, kNone, kAdd, kDelete };
  Change change = Change::kAll;
  Indom indom{};
  std::int32_t instance = 0;
};
struct ListInstances {  // PMD-407
  Indom indom{};
  std::int32_t instance = kInstanceNull;
  std::string name{};
};
struct ShowText {  // PMD-408
  std::variant<Pmid, Indom> of{};
};
struct Store {  // PMD-409
  Pmid pmid{};
  std::string value{};
};
struct LookUpName {  // PMD-410: pmid, children, traverse
  enum class What : std::uint8_t { kPmid, kChildren, kTraverse };
  What what = What::kPmid;
  std::string name{};
};
struct LookUpPmid {  // PMD-410: name
  Pmid pmid{};
};
struct ShowLabels {  // PMD-411; `identifier` but for the domain
  LabelClass of = LabelClass::kContext;
  std::uint32_t identifier = 0;
};
struct SendAttribute {  // PMD-412
  pdu::Attribute attribute{};
  std::string value{};
};

// PMD-413
struct ShowStatus {};
struct Help {
  std::string command{};  // empty: all
  bool usage = false;     // only how it is written
};
struct Switch {
  enum class What : std::uint8_t { kGetdesc, kGetiname, kTimer };
  What what = What::kTimer;
  bool on = false;
};
struct LoadNames {
  std::string file{};
};
struct Watch {};
struct Wait {
  std::uint32_t seconds = 0;
};
struct Debug {
  // In their order: "all" and "none" stand alone; a hyphen takes one away.
  std::vector<std::string> flags{};
};
struct Quit {};

using Command =
    std::variant<OpenPipe, OpenDso, OpenSocket, Close, Describe, Fetch, ChangeProfile,
                 ListInstances, ShowText, Store, LookUpName, LookUpPmid, ShowLabels, SendAttribute,
                 ShowStatus, Help, Switch, LoadNames, Watch, Wait, Debug, Quit>;

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_COMMAND_H_
