// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "validator/agent_bench/bench_text.h"
#include "validator/agent_bench/line_chart.h"
#include "validator/agent_bench/render_bench.h"
#include "validator/text/display.h"
#include "validator/text/html_page.h"

namespace pmproof::validator::agent_bench {
namespace {

class HtmlBench {
 public:
  HtmlBench(const BenchReport& report, Timestamp made, std::ostream& out)
      : report_(report), made_(made), out_(out) {}

  void Write() {
    const auto failed = static_cast<std::size_t>(
        std::count_if(report_.agents.begin(), report_.agents.end(),
                      [](const BenchAgent& agent) { return agent.failure.has_value(); }));
    BeginHtmlPage({.command = "agent bench",
                   .title = several() ? "Agents measured" : "An agent measured",
                   .verdict = Plural(report_.agents.size() - failed, "agent") + " measured" +
                              (failed > 0 ? ", " + std::to_string(failed) + " not to the end" : ""),
                   .style = failed > 0 ? "fatal" : "good",
                   .time = made_},
                  {"chart.css", "agent_bench.css"}, out_);
    WriteAgents();
    if (!report_.measurements.empty()) {
      WriteTable(FiguresOf(report_));
      out_ << "<p class=\"faint\">" << Markup(EffortText(report_)) << "</p>\n";
    }
    for (const std::string& doubt : Doubts(report_)) {
      out_ << "<p class=\"warning\">" << Markup(doubt) << "</p>\n";
    }
    if (!report_.measurements.empty()) {
      WriteRates();
      WriteLatencies();
      WriteMemory();
    }
    EndHtmlPage({}, out_);
  }

 private:
  bool several() const { return report_.agents.size() > 1; }

  void WriteAgents() {
    out_ << "<dl>\n";
    for (std::size_t i = 0; i < report_.agents.size(); ++i) {
      const BenchAgent& agent = report_.agents[i];
      out_ << "<dt><b class=\"agent-" << i << "\">" << AgentLetter(i) << "</b></dt><dd><code>";
      const char* blank = "";
      for (const std::string& word : agent.command) {
        out_ << blank << Markup(word);
        blank = " ";
      }
      out_ << "</code><br><span class=\"faint\">" << Markup(AgentText(agent)) << "</span>";
      for (const std::string& remark : agent.remarks) {
        out_ << "<br><span class=\"faint\">" << Markup(remark) << "</span>";
      }
      if (agent.failure) {
        out_ << "<br><span class=\"fatal\">" << (agent.started ? "stopped" : "not measured") << ": "
             << Markup(*agent.failure) << "</span>";
      }
      out_ << "</dd>\n";
    }
    out_ << "</dl>\n";
  }

  void WriteTable(const FigureTable& table) {
    out_ << "<div class=\"scroll\"><table class=\"figures\">\n<thead><tr>";
    for (const std::string& head : table.head) {
      out_ << "<th class=\"right\">" << Markup(head) << "</th>";
    }
    out_ << "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      out_ << "<tr>";
      for (const std::string& cell : row) {
        out_ << "<td class=\"right\">" << Markup(cell) << "</td>";
      }
      out_ << "</tr>\n";
    }
    out_ << "</tbody>\n</table></div>\n";
  }

  void WriteLegend() {
    if (!several()) return;
    out_ << "<div class=\"legend\">\n";
    for (std::size_t i = 0; i < report_.agents.size(); ++i) {
      out_ << "<span><svg viewBox=\"0 0 34 14\" aria-hidden=\"true\"><path class=\"curve agent-"
           << i << "\" d=\"M3 7L31 7\"/></svg>" << AgentLetter(i) << "</span>\n";
    }
    out_ << "</div>\n";
  }

  void BeginFigure(const std::string& caption) {
    out_ << "<figure>\n<figcaption><b>" << Markup(caption) << "</b></figcaption>\n";
  }
  void EndFigure() { out_ << "</figure>\n"; }

  std::string NameOf(std::size_t agent, const std::string& what) const {
    return several() ? AgentLetter(agent) + ": " + what : what;
  }

  static std::string ClientsText(std::size_t clients) {
    return clients == 1 ? "one client" : Plural(clients, "client") + " in turn";
  }

  // A figure for each number of clients.
  void WriteRates() {
    out_ << "<h2>Fetches a second, by the metrics of a fetch</h2>\n";
    WriteLegend();
    std::set<std::size_t> clients;
    for (const Measurement& one : report_.measurements) clients.insert(one.clients);
    ChartAxis x{.title = "metrics", .logarithmic = true};
    ChartAxis y{.title = "fetches a second"};
    std::set<std::size_t> counts;
    double most = 0;
    for (const Measurement& one : report_.measurements) {
      counts.insert(one.metrics);
      most = std::max(most, one.FetchesASecond());
    }
    for (const std::size_t count : counts) {
      x.ticks.push_back({static_cast<long double>(count), std::to_string(count)});
    }
    x.low = 0.8 * static_cast<double>(*counts.begin());
    x.high = 1.25 * static_cast<double>(*counts.rbegin());
    y.high = 1.05 * most;
    y.ticks = ChartTicks(y.low, y.high);
    for (const std::size_t count : clients) {
      const std::string caption = ClientsText(count);
      BeginFigure(caption);
      WriteLineChart("Fetches a second of " + caption, x, y, RatesOf(count), ++charts_, out_);
      EndFigure();
    }
  }

  std::vector<ChartCurve> RatesOf(std::size_t clients) const {
    std::vector<ChartCurve> curves;
    for (std::size_t agent = 0; agent < report_.agents.size(); ++agent) {
      ChartCurve curve{.agent = agent, .dots = true};
      for (const Measurement& one : report_.measurements) {
        if (one.agent != agent || one.clients != clients) continue;
        curve.points.emplace_back(static_cast<double>(one.metrics), one.FetchesASecond());
      }
      std::ranges::sort(curve.points);
      curve.name = NameOf(agent, ClientsText(clients));
      if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
    return curves;
  }

  // A figure for each number of metrics and clients.
  void WriteLatencies() {
    out_
        << "<h2>Latencies</h2>\n<p class=\"faint\">How long the fetches took, from the shortest to "
           "the longest: at 99 % one in a hundred took longer.</p>\n";
    WriteLegend();
    for (auto first = report_.measurements.begin(); first != report_.measurements.end();) {
      const auto end = std::find_if(first, report_.measurements.end(), [&](const Measurement& one) {
        return one.clients != first->clients || one.all != first->all ||
               (!one.all && one.metrics != first->metrics);
      });
      WriteLatency({first, end});
      first = end;
    }
  }

  using Measurements = std::vector<Measurement>;

  void WriteLatency(const Measurements& beside) {
    // So many nines.
    const auto rarity = [](double share) { return -std::log10(1 - share); };
    double nines = 1;
    double least = 1e12;
    double most = 1;
    std::vector<ChartCurve> curves;
    for (const Measurement& one : beside) {
      ChartCurve curve{.agent = one.agent,
                       .name = NameOf(one.agent, Plural(one.metrics, "metric"))};
      std::uint64_t shorter = 0;
      for (const LatencyHistogram::Bucket& bucket : one.latency.Buckets()) {
        const auto nanoseconds = std::max(1.0, static_cast<double>(bucket.most.count()));
        const double share = static_cast<double>(shorter) / static_cast<double>(one.fetches);
        curve.points.emplace_back(rarity(share), nanoseconds);
        shorter += bucket.count;
        least = std::min(least, nanoseconds);
        most = std::max(most, nanoseconds);
      }
      nines = std::max(nines, std::log10(static_cast<double>(one.fetches)));
      curve.points.emplace_back(std::log10(static_cast<double>(one.fetches)),
                                curve.points.back().second);
      curves.push_back(std::move(curve));
    }
    ChartAxis x{.title = "part of the fetches", .high = nines};
    for (int i = 0; i <= static_cast<int>(nines); ++i)
      x.ticks.push_back({static_cast<long double>(i), PercentText(i)});
    ChartAxis y{.title = "latency", .low = 0.9 * least, .high = 1.1 * most, .logarithmic = true};
    const auto text = [](double at) { return LatencyText(Duration(std::llround(at))); };
    y.ticks = LogarithmicTicks(y.low, y.high, text);
    const std::string caption =
        MetricsText(beside.front()) + ", " + ClientsText(beside.front().clients);
    BeginFigure(caption);
    WriteLineChart("Latencies of fetches of " + caption, x, y, curves, ++charts_, out_);
    EndFigure();
  }

  // "0 %", "90 %", "99.9 %"
  static std::string PercentText(int nines) {
    if (nines == 0) return "0 %";
    std::string text = "9";
    text += nines == 1 ? "0" : "9";
    if (nines > 2) text += "." + std::string(static_cast<std::size_t>(nines) - 2, '9');
    return text + " %";
  }

  // `all` may be another number for each agent.
  std::string MetricsText(const Measurement& one) const {
    if (!one.all) return Plural(one.metrics, "metric");
    return several() ? "all metrics" : "all " + Plural(one.metrics, "metric");
  }

  void WriteMemory() {
    out_ << "<h2>Memory over time</h2>\n";
    WriteLegend();
    ChartAxis x{.title = "seconds", .high = 0.001};
    ChartAxis y{.title = "resident memory, MB", .high = 0.001};
    std::vector<ChartCurve> curves;
    for (std::size_t agent = 0; agent < report_.agents.size(); ++agent) {
      ChartCurve curve{.agent = agent, .name = NameOf(agent, "resident memory")};
      for (const MemorySample& sample : report_.agents[agent].memory) {
        const double seconds = std::chrono::duration<double>(sample.at).count();
        const double size = static_cast<double>(sample.resident_bytes) / 1e6;
        curve.points.emplace_back(seconds, size);
        x.high = std::max(x.high, seconds);
        y.high = std::max(y.high, 1.1 * size);
      }
      if (!curve.points.empty()) curves.push_back(std::move(curve));
    }
    x.ticks = ChartTicks(x.low, x.high);
    y.ticks = ChartTicks(y.low, y.high);
    BeginFigure("Resident memory of the agent's processes");
    WriteLineChart("Resident memory", x, y, curves, ++charts_, out_);
    EndFigure();
  }

  const BenchReport& report_;
  Timestamp made_;
  std::ostream& out_;
  std::size_t charts_ = 0;
};

}  // namespace

void RenderBenchHtml(const BenchReport& report, Timestamp made, std::ostream& out) {
  HtmlBench(report, made, out).Write();
}

}  // namespace pmproof::validator::agent_bench
