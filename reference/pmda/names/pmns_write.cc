// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/pmns_source.h"
#include "reference/pmda/names/preprocessor.h"

namespace pmproof::pmda {
namespace {

std::string SpecText(Pmid pmid) {
  if (IsDynamicRoot(pmid)) return std::to_string(pmid.cluster()) + ":*:*";
  return std::to_string(pmid.domain()) + ":" + std::to_string(pmid.cluster()) + ":" +
         std::to_string(pmid.item());
}

}  // namespace

tl::expected<std::string, Diagnosis> WritePmns(const NameTree& tree) {
  std::string text;
  const auto add = [&](std::string line) {
    text += line + "\n";
    return line.size() < kMaxSourceLine;
  };
  std::vector<std::string> paths = {""};
  // Nodes yet to be written, the next one last.
  while (!paths.empty()) {
    const std::string path = std::move(paths.back());
    paths.pop_back();
    const auto refuse = [](const std::string& name, Clause clause, const std::string& why) {
      return tl::unexpected(Diagnosis{
          .clause = clause, .message = "cannot be written: " + Printable(name) + ": " + why});
    };
    if (!text.empty()) text += "\n";
    if (!add((path.empty() ? "root" : path) + " {"))
      return refuse(path, "PMD-305"_clause, "its line is too long");
    const std::size_t first = paths.size();
    const auto children = *tree.Children(path);
    for (const NameTree::Child& child : children) {
      std::string name = path + (path.empty() ? "" : ".");
      name += child.name;
      const auto pmid = tree.Find(name);
      const std::string line =
          "    " + std::string(child.name) + (pmid ? "\t" + SpecText(*pmid) : "");
      if (!add(line)) return refuse(name, "PMD-305"_clause, "its line is too long");
      if (!pmid && name == "root")
        return refuse(name, "PMD-300"_clause, "only the root has that path");
      if (!pmid) paths.push_back(std::move(name));
    }
    text += "}\n";
    std::reverse(paths.begin() + static_cast<std::ptrdiff_t>(first), paths.end());
  }
  return text;
}

}  // namespace pmproof::pmda
