// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/pmns_source.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/pmns_lexer.h"
#include "reference/pmda/names/preprocessor.h"

namespace pmproof::pmda {
namespace {

struct Entry {
  std::string name;
  std::optional<Pmid> pmid;  // none: a non-leaf
  std::shared_ptr<const std::string> file;
  std::size_t line;
};

// PATH "{" { entry } "}"
struct SourceNode {
  std::string path;
  std::shared_ptr<const std::string> file;
  std::size_t line;
  std::vector<Entry> entries;
  bool reached = false;
  std::optional<Pmid> pmid{};  // of a fragment: a line of an entry outside of all nodes
};

tl::unexpected<Diagnosis> Error(const std::string& file, std::size_t line, Clause clause,
                                std::string message) {
  return tl::unexpected(
      Diagnosis{Diagnosis::Severity::kError, file, line, clause, std::move(message)});
}

tl::unexpected<Diagnosis> Expected(const std::string& what, const PmnsToken& token, Clause clause) {
  return Error(*token.file, token.line, clause,
               what + " expected, not " +
                   (token.kind == PmnsTokenKind::kEnd ? "the end" : Printable(token.text)));
}

// Words that cannot be a NAME: PMD-305 if they look like one.
Clause ClauseOfBadName(const PmnsToken& token) {
  return token.kind == PmnsTokenKind::kOther || token.kind == PmnsTokenKind::kPath
             ? "PMD-305"_clause
             : "PMD-302"_clause;
}

// The grammar: a list of nodes.
class Parser {
 public:
  Parser(const Preprocessed& source, bool fragment, std::vector<Diagnosis>& warnings)
      : lexer_(source), fragment_(fragment), warnings_(warnings) {}

  tl::expected<std::vector<SourceNode>, Diagnosis> Run() {
    // The end of the text may stand anywhere: the last node is closed by it (PMD-302).
    while (true) {
      auto token = lexer_.Next();
      if (!token) return tl::unexpected(token.error());
      if (token->kind == PmnsTokenKind::kEnd) return std::move(nodes_);
      if (auto done = Take(*std::move(token)); !done) return tl::unexpected(done.error());
    }
  }

 private:
  enum class State { kNode, kOpen, kEntry, kEntryOrPmid };

  tl::expected<void, Diagnosis> Take(PmnsToken token) {
    switch (state_) {
      case State::kNode:
        if (token.kind != PmnsTokenKind::kName && token.kind != PmnsTokenKind::kPath) {
          return Expected("the path of a node", token, ClauseOfBadName(token));
        }
        nodes_.push_back({std::move(token.text), std::move(token.file), token.line, {}});
        siblings_.clear();
        state_ = State::kOpen;
        return {};
      case State::kOpen:
        if (fragment_ && token.kind == PmnsTokenKind::kPmid) {
          state_ = State::kNode;
          return SetPmid(token, &nodes_.back().pmid);
        }
        if (token.kind != PmnsTokenKind::kOpen) return Expected("{", token, "PMD-302"_clause);
        state_ = State::kEntry;
        return {};
      case State::kEntryOrPmid:
        if (token.kind == PmnsTokenKind::kPmid) return TakePmid(token);
        [[fallthrough]];
      case State::kEntry:
        if (token.kind == PmnsTokenKind::kClose) {
          state_ = State::kNode;
          return {};
        }
        if (token.kind != PmnsTokenKind::kName) {
          return Expected(state_ == State::kEntry ? "a name or }" : "a name, a PMID or }", token,
                          ClauseOfBadName(token));
        }
        return TakeName(std::move(token));
    }
    return {};
  }

  tl::expected<void, Diagnosis> TakeName(PmnsToken token) {
    SourceNode& node = nodes_.back();
    if (!siblings_.insert(token.text).second) {
      return Error(
          *token.file, token.line, "PMD-304"_clause,
          "name " + Printable(token.text) + " is in node " + Printable(node.path) + " already");
    }
    node.entries.push_back(
        {std::move(token.text), std::nullopt, std::move(token.file), token.line});
    state_ = State::kEntryOrPmid;
    return {};
  }

  tl::expected<void, Diagnosis> TakePmid(const PmnsToken& token) {
    state_ = State::kEntry;
    return SetPmid(token, &nodes_.back().entries.back().pmid);
  }

  tl::expected<void, Diagnosis> SetPmid(const PmnsToken& token, std::optional<Pmid>* pmid) {
    const auto spec = PmidOf(token.text);
    if (!spec) {
      return Error(*token.file, token.line, "PMD-303"_clause,
                   "PMID " + Printable(token.text) + ": " + spec.error());
    }
    if (!spec->warning.empty()) {
      AddDiagnosis({Diagnosis::Severity::kWarning, *token.file, token.line, "PMD-303"_clause,
                    "PMID " + Printable(token.text) + ": " + spec->warning},
                   warnings_);
    }
    *pmid = spec->pmid;
    return {};
  }

  PmnsLexer lexer_;
  bool fragment_;
  std::vector<Diagnosis>& warnings_;
  std::vector<SourceNode> nodes_;
  std::unordered_set<std::string> siblings_;  // names of the last node
  State state_ = State::kNode;
};

// Nodes to a tree, from the root down.
class Builder {
 public:
  Builder(std::vector<SourceNode> nodes, const std::string& file, const PmnsReading& reading,
          PmnsSource& source)
      : nodes_(std::move(nodes)), file_(file), reading_(reading), source_(source) {}

  tl::expected<void, Diagnosis> Run() {
    if (auto indexed = IndexNodes(); !indexed) return indexed;
    for (SourceNode* const top : Tops()) {
      top->reached = true;
      if (top->pmid) {
        const Entry entry{top->path, top->pmid, top->file, top->line};
        if (auto added = AddLeaf(top->path, entry); !added) return added;
        continue;
      }
      if (auto walked = Walk(top); !walked) return walked;
    }
    return CheckAllReached();
  }

 private:
  // The root; of a fragment without one the nodes that are no entry of another, in their order.
  std::vector<SourceNode*> Tops() {
    if (root_ != nullptr) return {root_};
    std::unordered_set<std::string> entries;
    for (const SourceNode& node : nodes_) {
      for (const Entry& entry : node.entries) {
        if (!entry.pmid) entries.insert(node.path + "." + entry.name);
      }
    }
    std::vector<SourceNode*> tops;
    for (SourceNode& node : nodes_) {
      if (!entries.contains(node.path) && by_path_.at(node.path) == &node) tops.push_back(&node);
    }
    return tops;
  }

  tl::expected<void, Diagnosis> Walk(SourceNode* top) {
    // Nodes being walked, and how far; paths grow on the way down, so that it comes to an end.
    std::vector<std::pair<SourceNode*, std::size_t>> open = {{top, 0}};
    while (!open.empty()) {
      auto& [node, at] = open.back();
      if (at == node->entries.size()) {
        open.pop_back();
        continue;
      }
      const Entry& entry = node->entries[at++];
      const std::string name = node == root_ ? entry.name : node->path + "." + entry.name;
      if (entry.pmid) {
        if (auto added = AddLeaf(name, entry); !added) return added;
        continue;
      }
      const auto found = by_path_.find(name);
      if (found == by_path_.end()) {
        return Error(*entry.file, entry.line, "PMD-301"_clause,
                     "non-leaf " + Printable(name) + " has no node");
      }
      found->second->reached = true;
      if (found->second->entries.empty()) {
        AddDiagnosis({Diagnosis::Severity::kWarning, *found->second->file, found->second->line,
                      "PMD-302"_clause, "node " + Printable(name) + " is empty and left out"},
                     source_.warnings);
      }
      open.emplace_back(found->second, 0);
    }
    return {};
  }

  tl::expected<void, Diagnosis> IndexNodes() {
    for (SourceNode& node : nodes_) {
      if (node.path != "root") {
        by_path_.emplace(node.path, &node);
        continue;
      }
      if (root_ != nullptr) {
        return Error(*node.file, node.line, "PMD-300"_clause, "a second node root");
      }
      root_ = &node;
    }
    const bool fragment = reading_.fragment && !nodes_.empty();
    if (root_ == nullptr && !fragment)
      return Error(file_, 0, "PMD-300"_clause, "there is no node root");
    return {};
  }

  tl::expected<void, Diagnosis> AddLeaf(const std::string& name, const Entry& entry) {
    if (reading_.allowed == PmidNames::kOne && !IsDynamicRoot(*entry.pmid)) {
      if (const auto names = source_.names.NamesOf(*entry.pmid); !names.empty()) {
        return Error(*entry.file, entry.line, "PMD-304"_clause,
                     "PMID " + ToText(*entry.pmid) + " of " + Printable(name) + " is that of " +
                         Printable(names.front()) + " already");
      }
    }
    // Below a root the grammar lets nothing through that the tree refuses: names are distinct in
    // their nodes, and no leaf has a node.
    if (source_.names.Add(name, *entry.pmid) != NameTree::Outcome::kAdded) {
      return Error(*entry.file, entry.line, "PMD-301"_clause,
                   Printable(name) + " is a name, or below one, already");
    }
    return {};
  }

  tl::expected<void, Diagnosis> CheckAllReached() const {
    for (const SourceNode& node : nodes_) {
      if (!node.reached) {
        return Error(
            *node.file, node.line, "PMD-301"_clause,
            "node " + Printable(node.path) +
                (by_path_.at(node.path) == &node ? " is not below root" : " is there twice"));
      }
    }
    return {};
  }

  std::vector<SourceNode> nodes_;
  const std::string& file_;
  const PmnsReading& reading_;
  PmnsSource& source_;
  SourceNode* root_ = nullptr;
  std::unordered_map<std::string, SourceNode*> by_path_;
};

}  // namespace

tl::expected<PmnsSource, Diagnosis> ReadPmns(std::string_view text, const std::string& file,
                                             const IncludeReader& includes, PmidNames allowed) {
  return ReadPmns(text, file, includes, PmnsReading{.allowed = allowed});
}

tl::expected<PmnsSource, Diagnosis> ReadPmns(std::string_view text, const std::string& file,
                                             const IncludeReader& includes,
                                             const PmnsReading& reading) {
  auto preprocessed = Preprocess(text, file, includes, reading.given);
  if (!preprocessed) return tl::unexpected(preprocessed.error());
  PmnsSource source;
  source.warnings = std::move(preprocessed->warnings);
  auto nodes = Parser(*preprocessed, reading.fragment, source.warnings).Run();
  if (!nodes) return tl::unexpected(nodes.error());
  auto built = Builder(*std::move(nodes), file, reading, source).Run();
  if (!built) return tl::unexpected(built.error());
  return source;
}

tl::expected<PmnsSource, Diagnosis> ReadPmnsFile(const std::string& path,
                                                 std::vector<std::string> folders,
                                                 PmidNames allowed) {
  auto text = ReadTextFile(path);
  if (!text) return Error(path, 0, Clause(), text.error());
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos) {
    folders.insert(folders.begin(), path.substr(0, slash));
  }
  return ReadPmns(*text, path, IncludesFrom(std::move(folders)), allowed);
}

}  // namespace pmproof::pmda
