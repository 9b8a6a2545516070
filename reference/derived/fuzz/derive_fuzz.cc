// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

#include "reference/derived/bind.h"
#include "reference/derived/parse.h"
#include "reference/derived/testing/named_metrics.h"

// Any text in any dialect: the first byte chooses it. What is refused has a place in the text; what
// is taken is a tree whose nodes stand after their operands; what binds describes each of them.

namespace pmproof::derived {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckTree(const Expression& expression) {
  NodeIndex trees = 0;
  for (NodeIndex i = 0; i < expression.nodes().size(); ++i) {
    const Node& node = expression.nodes()[i];
    const auto operands = static_cast<NodeIndex>(OperandCount(node.kind));
    Require(trees >= operands && node.size <= i + 1);
    trees = trees - operands + 1;
    static_cast<void>(expression.Text(node));
  }
  Require(trees == 1 && expression.Begin(expression.root()) == 0);
}

void CheckBound(const BoundExpression& bound) {
  Require(bound.nodes().size() == bound.expression().nodes().size());
  for (NodeIndex i = 0; i < bound.nodes().size(); ++i) {
    const std::uint32_t index = bound.nodes()[i].index;
    if (index == BoundNode::kNone) continue;
    const bool metric = bound.expression().nodes()[i].kind == NodeKind::kMetric;
    Require(index < (metric ? bound.operands().size() : bound.scalings().size()));
  }
}

void Check(std::string_view text, const Dialect& dialect, const BindRequest& request) {
  auto parsed = Parse(text, dialect);
  if (!parsed) {
    const SyntaxError& error = parsed.error();
    Require(error.position >= -1 && error.position <= static_cast<std::int64_t>(text.size()));
    Require(error.message.size() <= 255 && !error.clause.empty());
    return;
  }
  CheckTree(*parsed);
  const auto bound = Bind(std::make_shared<const Expression>(std::move(*parsed)), dialect,
                          NamedMetrics(), request);
  if (bound) {
    CheckBound(*bound);
  } else {
    Require(!bound.error().message.empty() && !bound.error().clause.empty());
  }
}

}  // namespace
}  // namespace pmproof::derived

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pmproof::derived;  // NOLINT(google-build-using-namespace)
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  Check(
      text, *kDialects[data[0] % kDialects.size()],
      {.name = "x.y", .per_context = (data[0] & 4) != 0, .missing_is_novalue = (data[0] & 8) != 0});
  return 0;
}
