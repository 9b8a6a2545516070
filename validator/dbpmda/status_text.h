// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_DBPMDA_STATUS_TEXT_H_
#define PMPROOF_VALIDATOR_DBPMDA_STATUS_TEXT_H_

#include <string>
#include <vector>

#include "validator/dbpmda/conversation.h"
#include "validator/dbpmda/tables.h"

namespace pmproof::agent_script {

// What a script switches on and off (PMD-413). A value.
struct Settings {
  bool getdesc = false;
  bool getiname = false;
  bool timer = false;
  std::vector<bool> debug{std::vector<bool>(DebugOptionCount())};

  void Change(const Switch& command);
  void Change(const Debug& command);
};

// What `status` prints (PMD-413, PMD-416). `names_file` may be empty.
std::string StatusText(const std::string& names_file, const Settings& settings, Conversation& talk);

}  // namespace pmproof::agent_script

#endif  // PMPROOF_VALIDATOR_DBPMDA_STATUS_TEXT_H_
