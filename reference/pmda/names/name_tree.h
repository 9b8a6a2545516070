// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_REFERENCE_PMDA_NAMES_NAME_TREE_H_
#define PMPROOF_REFERENCE_PMDA_NAMES_NAME_TREE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/core/error_code.h"
#include "reference/core/identifiers.h"

// A name space (PMNS) in the order in which its source gives it: what an agent or a collector
// answers PMNS requests from. NameSpace of reference/core has the sorted names of an archive.

namespace pmproof::pmda {

// PMD-303: the PMID that stands for a subtree whose names the agent of `domain` supplies,
// "d:*:*" in a source.
constexpr Pmid DynamicRoot(std::uint32_t domain) { return Pmid::Of(511, domain, 0); }
constexpr bool IsDynamicRoot(Pmid pmid) {
  return !pmid.flag() && pmid.domain() == 511 && pmid.cluster() < 511 && pmid.item() == 0;
}

// Names as nodes: inner nodes, leaves with a PMID, and dynamic roots. A name is one of them; each
// inner node has a leaf or a dynamic root below it (PMD-302). A value.
class NameTree {
 public:
  enum class Outcome : std::uint8_t {
    kAdded,
    kThereAlready,  // with the same PMID
    kTaken,         // with another PMID: one name has one (MET-703)
    kInner,         // it is an inner node, or one above it is not (MET-704)
    kBadName,       // PMD-305, MET-701
    kBadPmid,       // domain 511 and no dynamic root, or the flag bit (PMD-303)
  };
  // A new name comes after its siblings. The tree is unchanged unless kAdded.
  Outcome Add(std::string_view name, Pmid pmid);

  // The PMID of a leaf or of a dynamic root. kNonLeaf: an inner node; kName: none (PMD-096).
  tl::expected<Pmid, ErrorCode> Find(std::string_view name) const;

  // PMD-097: in the order they were added; none for an unknown PMID. A dynamic root has no PMID
  // of its own here.
  std::vector<std::string> NamesOf(Pmid pmid) const;

  struct Child {
    std::string_view name;  // the last component; valid as long as the tree is not changed
    bool leaf;              // false for inner nodes and dynamic roots: statuses 0 and 1 (PDU-068)

    friend bool operator==(const Child&, const Child&) = default;
  };
  // PMD-098: in order; "" is the root. Empty for a leaf and for a dynamic root; kName: no node.
  tl::expected<std::vector<Child>, ErrorCode> Children(std::string_view name) const;

  struct Leaf {
    std::string name;
    Pmid pmid;  // IsDynamicRoot() for one of those

    friend bool operator==(const Leaf&, const Leaf&) = default;
  };
  // PMD-099: the leaves and dynamic roots at or below a node, depth first, in order; "" for all.
  // kName: no node.
  tl::expected<std::vector<Leaf>, ErrorCode> Traverse(std::string_view name) const;

  // The dynamic root at or above a name, which need not be in the tree itself; PM_ID_NULL if there
  // is none.
  Pmid DynamicRootAbove(std::string_view name) const;

  // Leaves and dynamic roots.
  std::size_t size() const { return size_; }

  // The same names with the same PMIDs in the same order.
  friend bool operator==(const NameTree& a, const NameTree& b) {
    return *a.Traverse("") == *b.Traverse("");
  }

 private:
  using Index = std::size_t;
  static constexpr Index kRoot = 0;
  static constexpr Index kNone = static_cast<Index>(-1);

  struct Node {
    std::string component{};
    Index parent = kNone;
    Index first_child = kNone;
    Index last_child = kNone;
    Index next_sibling = kNone;
    Pmid pmid = Pmid::Null();  // null: inner
  };

  struct ByParentAndComponent {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return a.first != b.first ? a.first < b.first
                                : std::string_view(a.second) < std::string_view(b.second);
    }
  };

  // The node of the longest beginning of `name` that has one, and the rest.
  std::pair<Index, std::string_view> Descend(std::string_view name) const;
  Index NodeOf(std::string_view name) const;  // kNone
  std::string FullName(Index node) const;

  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::map<std::pair<Index, std::string>, Index, ByParentAndComponent> children_;
  std::unordered_map<Pmid, std::vector<Index>> by_pmid_;
  std::size_t size_ = 0;
};

}  // namespace pmproof::pmda

#endif  // PMPROOF_REFERENCE_PMDA_NAMES_NAME_TREE_H_
