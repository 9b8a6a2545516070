// SPDX-License-Identifier: Apache-2.0
#include "validator/agent_files/material.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "reference/pmda/names/domain_header.h"
#include "reference/pmda/names/preprocessor.h"
#include "reference/pmda/names/text_file.h"

namespace pmproof::validator::agent_files {
namespace {

using pmda::Diagnosis;

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() <= 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool IsWordPart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsThere(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

template <typename T>
Part<T> PartOf(const std::string& path) {
  return {.path = path, .there = IsThere(path)};
}

// Its text, if it is there and can be read.
template <typename T>
std::optional<std::string> TextOf(Part<T>* part) {
  if (!part->there) return std::nullopt;
  auto text = pmda::ReadTextFile(part->path);
  if (text) return std::move(*text);
  part->wrong = part->path + ": " + text.error();
  return std::nullopt;
}

template <typename Line>
void ForEachLine(std::string_view text, Line&& line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// PMD-331: the variable iam of an Install script; empty: it is not set in a plain line.
std::string IamOf(std::string_view install) {
  std::string iam;
  ForEachLine(install, [&](std::string_view line) {
    constexpr std::string_view kSet = "iam=";
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!iam.empty() || !line.starts_with(kSet)) return;
    std::size_t end = kSet.size();
    while (end < line.size() && IsWordPart(line[end])) ++end;
    iam = line.substr(kSet.size(), end - kSet.size());
  });
  return iam;
}

// PMD-313: SYMDOM of the identifiers "SYMDOM.serial" and "SYMDOM.cluster.item".
std::string WithNumber(std::string_view help, const std::string& symbol, std::uint32_t domain) {
  std::string text;
  text.reserve(help.size());
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size() - 1) + 1;
    const std::string_view line = help.substr(0, end);
    help.remove_prefix(end);
    const std::size_t begin =
        line.starts_with('@') ? line.find_first_not_of(" \t", 1) : std::string_view::npos;
    if (begin != std::string_view::npos && line.substr(begin).starts_with(symbol + ".")) {
      text += line.substr(0, begin);
      text += std::to_string(domain);
      text += line.substr(begin + symbol.size());
    } else {
      text += line;
    }
  }
  return text;
}

// "NAME number" (14.4), or the "#define NAME number" that PCP makes of that.
void AddRegister(const std::string& path, Part<pmda::DomainRegister>* domains) {
  const auto text = pmda::ReadTextFile(path);
  if (!text) {
    domains->wrong = path + ": " + text.error();
    return;
  }
  pmda::DomainRegister of_file = *domains->read;
  const auto problems = of_file.Add(*text, path, /*local=*/false);
  for (const Diagnosis& problem : problems) {
    if (problem.severity == Diagnosis::Severity::kError) domains->wrong = problem.ToText();
  }
  if (of_file.size() == domains->read->size()) {
    const auto defined = pmda::Preprocess(*text, path, pmda::NoIncludes());
    if (!defined) {
      domains->wrong = defined.error().ToText();
      return;
    }
    std::string lines;
    for (const auto& [name, value] : defined->macros) {
      if (IsNumber(value)) lines += name + " " + value + "\n";
    }
    (void)of_file.Add(lines, path, /*local=*/false);
  }
  domains->read = std::move(of_file);
}

void ReadRegisters(const Question& question, Material* material) {
  material->domains.there = !question.stdpmid.empty();
  if (!material->domains.there) return;
  material->domains.path = question.stdpmid.front();
  material->domains.read.emplace();
  for (const std::string& path : question.stdpmid) AddRegister(path, &material->domains);
}

void ReadHeader(Material* material) {
  Part<Material::Header>& part = material->header;
  const auto text = TextOf(&part);
  if (!text) return;
  const auto header = pmda::ReadDomainHeader(*text, part.path);
  if (header) {
    part.read = Material::Header{header->symbol, header->domain};
    material->symbol = header->symbol;
  } else {
    part.wrong = header.error().ToText();
  }
}

void ReadNames(const Question& question, std::optional<std::uint32_t> domain,
               Part<pmda::AgentPmns>* part) {
  if (!part->there) return;
  auto names = pmda::ReadAgentPmns(part->path, {.domain = domain, .folders = question.includes});
  if (names) {
    part->read = std::move(*names);
  } else {
    part->wrong = names.error().ToText();
  }
}

std::string Upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// The one domain of all names, of dynamic roots that of the agent they stand for (PMD-303).
std::optional<std::uint32_t> DomainOf(const pmda::NameTree& names) {
  std::optional<std::uint32_t> domain;
  const auto leaves = *names.Traverse("");
  for (const auto& leaf : leaves) {
    const bool dynamic = pmda::IsDynamicRoot(leaf.pmid);
    const std::uint32_t its = dynamic ? leaf.pmid.cluster() : leaf.pmid.domain();
    if (domain && *domain != its) return std::nullopt;
    domain = its;
  }
  return domain;
}

// Of packaged agents, which have no domain.h: their names are of one domain, or they have none, and
// the register has a domain of their name.
void GuessDomain(Material* material) {
  const auto& names = material->names();
  const std::string upper = Upper(material->iam);
  const auto* const domains = material->domains.read ? &*material->domains.read : nullptr;
  if (names.read && names.read->symbol.empty()) {
    material->domain = DomainOf(names.read->names);
    material->domain_from = "the PMIDs of " + names.path;
  } else if (!names.there && domains != nullptr && domains->Find(upper)) {
    material->domain = domains->Find(upper);
    material->domain_from = upper + " of --stdpmid";
  }
}

// PMD-330, PMD-331: --domain, domain.h, or the register's number of the word that stands for it.
void FindDomain(const Question& question, Material* material) {
  const auto parts = {&material->pmns, &material->root};
  for (Part<pmda::AgentPmns>* part : parts) {
    ReadNames(question, std::nullopt, part);
    if (material->symbol.empty() && part->read) material->symbol = part->read->symbol;
  }
  if (question.domain) {
    material->domain = question.domain;
    material->domain_from = "--domain";
  } else if (material->header.read) {
    material->domain = material->header.read->domain;
    material->domain_from = "domain.h";
  } else if (!material->symbol.empty() && material->domains.read) {
    material->domain = material->domains.read->Find(material->symbol);
    if (material->domain) material->domain_from = material->symbol + " of --stdpmid";
  }
  if (!material->domain && !material->header.there) GuessDomain(material);
  if (!material->domain) return;
  if (material->symbol.empty()) {
    const auto name =
        material->domains.read ? material->domains.read->Find(*material->domain) : std::nullopt;
    material->symbol = name ? std::string(*name) : Upper(material->iam);
  }
  for (Part<pmda::AgentPmns>* part : parts) {
    part->read.reset();
    part->wrong.clear();
    ReadNames(question, material->domain, part);
  }
}

void ReadHelp(Material* material) {
  Part<pmda::HelpSource>& part = material->help;
  const auto text = TextOf(&part);
  if (!text) return;
  material->help_text = material->domain && !material->symbol.empty()
                            ? WithNumber(*text, material->symbol, *material->domain)
                            : *text;
  static const pmda::NameTree kNoNames;
  const auto& names = material->names();
  part.read = pmda::ReadHelpSource(material->help_text, part.path,
                                   names.read ? names.read->names : kNoNames);
}

void ReadCompiled(Material* material) {
  Part<pmda::HelpTable>& part = material->compiled;
  part.there = IsThere(part.path + ".dir") || IsThere(part.path + ".pag");
  if (!part.there) return;
  pmda::CompiledHelp files;
  for (const auto& [suffix, to] : {std::pair(".dir", &files.dir), std::pair(".pag", &files.pag)}) {
    auto bytes = pmda::ReadTextFile(part.path + suffix);
    if (!bytes) {
      part.wrong = part.path + suffix + ": " + bytes.error();
      return;
    }
    *to = std::move(*bytes);
  }
  auto table = pmda::HelpTable::Read(std::move(files), part.path);
  if (table) {
    part.read = std::move(*table);
  } else {
    part.wrong = table.error().ToText();
  }
}

void ReadConf(const Question& question, Part<pmda::PmcdConf>* part) {
  if (!question.pmcd_conf) return;
  *part = {.path = *question.pmcd_conf, .there = true};
  if (const auto text = TextOf(part)) part->read = pmda::ReadPmcdConf(*text, part->path);
}

}  // namespace

Material ReadMaterial(const Question& question) {
  Material material;
  material.folder = question.folder;
  while (material.folder.size() > 1 && material.folder.ends_with('/')) material.folder.pop_back();
  const auto in_folder = [&](const char* name) { return material.folder + "/" + name; };
  material.header = PartOf<Material::Header>(in_folder("domain.h"));
  material.pmns = PartOf<pmda::AgentPmns>(in_folder("pmns"));
  material.root = PartOf<pmda::AgentPmns>(in_folder("root"));
  material.help = PartOf<pmda::HelpSource>(in_folder("help"));
  material.compiled.path = in_folder("help");
  material.install = PartOf<std::string>(in_folder("Install"));
  material.remove = PartOf<std::string>(in_folder("Remove"));
  material.install.read = TextOf(&material.install);
  material.remove.read = TextOf(&material.remove);
  if (material.install.read) material.iam = IamOf(*material.install.read);
  if (material.iam.empty()) {
    std::error_code ignored;
    material.iam = std::filesystem::absolute(material.folder, ignored).filename().string();
  }
  // Agents that PCP starts without Install: their names are in no other file.
  if (!material.pmns.there && !material.root.there) {
    std::vector<std::string> folders = {material.folder};
    folders.insert(folders.end(), question.includes.begin(), question.includes.end());
    for (const std::string& folder : folders) {
      const std::string path = folder + "/root_" + material.iam;
      if (!material.root.there && IsThere(path)) material.root = PartOf<pmda::AgentPmns>(path);
    }
  }
  ReadRegisters(question, &material);
  ReadHeader(&material);
  FindDomain(question, &material);
  ReadHelp(&material);
  ReadCompiled(&material);
  ReadConf(question, &material.conf);
  return material;
}

}  // namespace pmproof::validator::agent_files
