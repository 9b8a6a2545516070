// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "validator/agent_bench/bench_text.h"
#include "validator/agent_bench/render_bench.h"
#include "validator/text/display.h"

namespace pmproof::validator::agent_bench {
namespace {

class TextBench {
 public:
  TextBench(const BenchReport& report, const Screen& screen, std::ostream& out)
      : report_(report), screen_(screen), out_(out) {}

  void Write() {
    for (std::size_t i = 0; i < report_.agents.size(); ++i) WriteAgent(i);
    if (!report_.measurements.empty()) {
      out_ << '\n';
      WriteTable(FiguresOf(report_));
      out_ << '\n';
      WriteMemory();
      out_ << Styled(screen_, Style::kDim, EffortText(report_)) << '\n';
    }
    for (const std::string& doubt : Doubts(report_)) {
      out_ << Styled(screen_, Style::kYellow, Wrap(doubt, screen_.width, 2)) << '\n';
    }
  }

 private:
  void WriteAgent(std::size_t number) {
    const BenchAgent& agent = report_.agents[number];
    const std::string letter = AgentLetter(number);
    std::string words;
    for (const std::string& word : agent.command) words += ' ' + Displayable(word);
    out_ << Styled(screen_, Style::kBold, letter) << ' ' << words << '\n'
         << "   " << AgentText(agent) << '\n';
    for (const std::string& remark : agent.remarks) {
      out_ << "   " << Wrap(Displayable(remark), screen_.width, 5) << '\n';
    }
    if (!agent.failure) return;
    const std::string what = std::string(agent.started ? "stopped" : "not measured") + ": ";
    out_ << "   "
         << Styled(screen_, Style::kRed, Wrap(what + Displayable(*agent.failure), screen_.width, 5))
         << '\n';
  }

  void WriteTable(const FigureTable& table) {
    std::vector<std::size_t> widths;
    for (const std::string& head : table.head) widths.push_back(Columns(head));
    for (const auto& row : table.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], Columns(row[i]));
    }
    const auto line = [&](const std::vector<std::string>& cells) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        text.append((i == 0 ? 0 : 2) + widths[i] - Columns(cells[i]), ' ').append(cells[i]);
      }
      return text;
    };
    out_ << Styled(screen_, Style::kDim, line(table.head)) << '\n';
    for (const auto& row : table.rows) out_ << line(row) << '\n';
  }

  void WriteMemory() {
    for (std::size_t i = 0; i < report_.agents.size(); ++i) {
      const BenchAgent& agent = report_.agents[i];
      if (agent.memory.empty()) continue;
      out_ << "memory" << (report_.agents.size() > 1 ? " of " + AgentLetter(i) : "") << ": "
           << ByteSize(agent.memory.front().resident_bytes) << " at first, "
           << ByteSize(agent.memory.back().resident_bytes) << " at last, "
           << ByteSize(agent.most_resident_bytes) << " at most\n";
    }
  }

  const BenchReport& report_;
  const Screen& screen_;
  std::ostream& out_;
};

}  // namespace

void RenderBenchText(const BenchReport& report, const Screen& screen, std::ostream& out) {
  TextBench(report, screen, out).Write();
}

}  // namespace pmproof::validator::agent_bench
