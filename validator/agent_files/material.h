// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_AGENT_FILES_MATERIAL_H_
#define PMPROOF_VALIDATOR_AGENT_FILES_MATERIAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/pmda/names/agent_pmns.h"
#include "reference/pmda/names/domain_register.h"
#include "reference/pmda/names/help_source.h"
#include "reference/pmda/names/help_table.h"
#include "reference/pmda/names/pmcd_conf.h"

// What lies in the folder of an agent (PMD-330), read once for all checks.

namespace pmproof::validator::agent_files {

// What the user says of the folder.
struct Question {
  std::string folder{};
  std::optional<std::uint32_t> domain{};
  std::vector<std::string> stdpmid{};      // registers of domains: PCP's stdpmid.pcp, stdpmid
  std::vector<std::string> includes{};     // folders where #include looks
  std::optional<std::string> pmcd_conf{};  // a file with the agent's line
};

// A file, and what was made of it.
template <typename T>
struct Part {
  std::string path{};
  bool there = false;
  std::optional<T> read{};  // nothing: it is not there, or `wrong` says why it cannot be used
  std::string wrong{};      // with file, line and clause
};

// A value; what its parts hold does not change any more.
struct Material {
  std::string folder{};
  std::string iam{};                      // PMD-331: of Install; else the name of the folder
  std::optional<std::uint32_t> domain{};  // by `domain_from`
  std::string domain_from{};  // "--domain", "domain.h", "SIMPLE of --stdpmid", "the PMIDs of FILE"
  std::string symbol{};       // SYMDOM; empty: not known

  struct Header {
    std::string symbol{};
    std::uint32_t domain = 0;
  };
  Part<Header> header{};         // domain.h
  Part<pmda::AgentPmns> pmns{};  // pmns
  Part<pmda::AgentPmns> root{};  // root; without both, root_IAM of the folder or --include
  Part<pmda::HelpSource> help{};
  Part<pmda::HelpTable> compiled{};  // help.dir and help.pag
  Part<pmda::PmcdConf> conf{};       // --pmcd-conf
  Part<pmda::DomainRegister> domains{};
  Part<std::string> install{};
  Part<std::string> remove{};

  // The text of `help` with a number for SYMDOM (PMD-313); empty without one.
  std::string help_text{};

  // The name space: of pmns, or of root where that is not there.
  const Part<pmda::AgentPmns>& names() const { return pmns.there || !root.there ? pmns : root; }
};

// Never fails: what cannot be read is told by its part. Files are bounded (kMaxTextFile, and the
// same for compiled help), and never written.
Material ReadMaterial(const Question& question);

}  // namespace pmproof::validator::agent_files

#endif  // PMPROOF_VALIDATOR_AGENT_FILES_MATERIAL_H_
