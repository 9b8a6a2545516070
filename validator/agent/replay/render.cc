// SPDX-License-Identifier: Apache-2.0
#include "validator/agent/replay/render.h"

#include <algorithm>

#include "validator/agent/replay/octets.h"
#include "validator/agent/replay/step_names.h"
#include "validator/protocol_check/render.h"
#include "validator/text/display.h"
#include "validator/text/json_values.h"
#include "validator/text/version.h"

namespace pmproof::validator::agent {
namespace {

using Kind = ExchangeStep::Kind;

bool IsAnswer(const ExchangeStep& step) {
  return step.kind == Kind::kReceived || step.kind == Kind::kNoPdu || step.kind == Kind::kNothing ||
         step.kind == Kind::kEndOfFile || step.kind == Kind::kExit;
}

struct Counts {
  std::size_t same = 0;
  std::size_t moved = 0;
  std::size_t other = 0;
};

Counts CountsOf(const ReplayReport& report) {
  Counts counts;
  for (std::size_t i = 0; i < report.played.steps.size(); ++i) {
    if (!IsAnswer(report.failure->recording.steps[i])) continue;
    switch (report.played.steps[i].kind) {
      case Comparison::Kind::kSame:
        ++counts.same;
        break;
      case Comparison::Kind::kMoved:
        ++counts.moved;
        break;
      case Comparison::Kind::kOther:
        ++counts.other;
        break;
    }
  }
  return counts;
}

const char* NameOf(Comparison::Kind kind) {
  switch (kind) {
    case Comparison::Kind::kSame:
      return "same";
    case Comparison::Kind::kMoved:
      return "moved";
    case Comparison::Kind::kOther:
      break;
  }
  return "other";
}

const char* NameOf(Judgement::Kind kind) {
  switch (kind) {
    case Judgement::Kind::kAgain:
      return "again";
    case Judgement::Kind::kAnother:
      return "another";
    case Judgement::Kind::kNotSeen:
      return "not_seen";
    case Judgement::Kind::kUnknown:
      break;
  }
  return "unknown";
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

class TextReport {
 public:
  TextReport(const ReplayReport& report, bool full, const Screen& screen, std::ostream& out)
      : report_(report), full_(full), screen_(screen), out_(out) {}

  void Write() {
    const RecordedFailure& failure = *report_.failure;
    WriteField("failure", failure.check.ToString() + "  " + report_.title);
    WriteField("recorded", failure.verdict.because);
    if (failure.verdict.offences > 1) {
      WriteField("", "and " + Plural(failure.verdict.offences - 1, "more offence"));
    }
    WriteField("of", Joined(report_.recorded->command));
    WriteField("now", Joined(report_.command));
    const auto& steps = failure.recording.steps;
    if (std::ranges::any_of(steps, &ExchangeStep::elsewhere)) {
      WriteField("remark",
                 "an agent was started in another folder, with other variables or as another user; "
                 "here it is started as it is");
    }
    out_ << '\n';
    WriteSteps();
    WriteSaid();
    out_ << '\n';
    const Counts counts = CountsOf(report_);
    out_ << Plural(counts.same + counts.moved + counts.other, "answer") << ": " << counts.same
         << " the same, " << counts.moved << " with other values, " << counts.other << " other\n";
    const Style style = report_.judgement.kind == Judgement::Kind::kAgain     ? Style::kRed
                        : report_.judgement.kind == Judgement::Kind::kNotSeen ? Style::kGreen
                                                                              : Style::kYellow;
    out_ << Styled(screen_, style, Wrap(Displayable(OutcomeLine(report_)), screen_.width, 2))
         << '\n';
  }

 private:
  void WriteField(const std::string& name, const std::string& value) {
    constexpr std::size_t kColumn = 11;
    out_ << Styled(screen_, Style::kDim, name + std::string(kColumn - name.size(), ' '))
         << Wrap(Displayable(value), screen_.width, kColumn) << '\n';
  }

  // Runs of so many steps that are as they were are cut down to their first and last.
  void WriteSteps() {
    constexpr std::size_t kShown = 4;
    const auto& results = report_.played.steps;
    std::size_t i = 0;
    while (i < results.size()) {
      std::size_t end = i;
      while (end < results.size() && results[end].kind == Comparison::Kind::kSame) ++end;
      if (end == i) ++end;
      const bool cut = !full_ && end - i > 2 * kShown + 1;
      for (std::size_t k = i; k < end; ++k) {
        if (cut && k == i + kShown) {
          const std::size_t left_out = end - i - 2 * kShown;
          out_ << Styled(screen_, Style::kDim,
                         "  ... " + std::to_string(left_out) +
                             " steps, all as recorded (--full shows them)")
               << '\n';
          k = end - kShown;
        }
        WriteStep(k);
      }
      i = end;
    }
    const std::size_t rest = report_.failure->recording.steps.size() - results.size();
    if (rest == 0) return;
    out_ << Wrap(Displayable("- " + Plural(rest, "step") +
                             " not repeated: " + report_.played.stopped),
                 screen_.width, 2)
         << '\n';
  }

  void WriteStep(std::size_t i) {
    const ExchangeStep& step = report_.failure->recording.steps[i];
    const Comparison& result = report_.played.steps[i];
    const std::string agent =
        step.agent > 1 || started_more_ ? "[" + std::to_string(step.agent) + "] " : std::string();
    started_more_ |= step.agent > 1;
    if (step.kind == Kind::kGone) return;
    const char* const sign = !IsAnswer(step) ? (step.kind == Kind::kSent ? "> " : "- ")
                             : result.kind == Comparison::Kind::kSame  ? "= "
                             : result.kind == Comparison::Kind::kMoved ? "~ "
                                                                       : "! ";
    const Style style = !IsAnswer(step) || result.kind == Comparison::Kind::kSame ? Style::kPlain
                        : result.kind == Comparison::Kind::kMoved                 ? Style::kCyan
                                                                                  : Style::kRed;
    out_ << Styled(screen_, style,
                   Wrap(Displayable(sign + agent + StepText(step)), screen_.width, 2))
         << '\n';
    for (const std::string& difference : result.differences) {
      out_ << "    " << Wrap(Displayable(difference), screen_.width, 6) << '\n';
    }
  }

  void WriteSaid() {
    for (const AgentOutput& output : report_.played.said) {
      out_ << Styled(screen_, Style::kDim, Displayable(SaidHeading(output, started_more_))) << '\n';
      for (const std::string& line : output.lines) {
        out_ << "  " << Wrap(Displayable(line), screen_.width, 4) << '\n';
      }
    }
  }

  const ReplayReport& report_;
  const bool full_;
  const Screen& screen_;
  std::ostream& out_;
  bool started_more_ = false;
};

}  // namespace

std::string OutcomeLine(const ReplayReport& report) {
  const std::string& because = report.judgement.because;
  switch (report.judgement.kind) {
    case Judgement::Kind::kAgain:
      return "the failure is seen again: " + because;
    case Judgement::Kind::kAnother:
      return "the check fails for something else: " + because;
    case Judgement::Kind::kNotSeen:
      return "the failure is not seen again: " + because;
    case Judgement::Kind::kUnknown:
      break;
  }
  return "whether the failure is there again is not known: " + because + "; agent check --check " +
         report.failure->check.ToString() + " makes the check anew";
}

void RenderReplayText(const ReplayReport& report, bool full, const Screen& screen,
                      std::ostream& out) {
  TextReport(report, full, screen, out).Write();
}

void RenderReplayJson(const ReplayReport& report, std::ostream& out) {
  const auto strings = [](const std::vector<std::string>& texts) {
    Json json = Json::array();
    for (const std::string& text : texts) json.push_back(text);
    return json;
  };
  const Counts counts = CountsOf(report);
  LongJson json(out);
  json.Object().Members(
      {{"schema", "pmproof-agent-replay/1"},
       {"tool", {{"name", "pmproof"}, {"version", kVersion}}},
       {"file", report.file},
       {"command", strings(report.command)},
       {"check", report.failure->check.ToString()},
       {"recorded", report.failure->verdict.because},
       {"outcome", NameOf(report.judgement.kind)},
       {"because", report.judgement.because},
       {"answers", {{"same", counts.same}, {"moved", counts.moved}, {"other", counts.other}}},
       {"not_repeated", report.failure->recording.steps.size() - report.played.steps.size()},
       {"stopped", report.played.stopped.empty() ? Json(nullptr) : Json(report.played.stopped)}});
  json.Key("steps").Array();
  for (std::size_t i = 0; i < report.played.steps.size(); ++i) {
    const ExchangeStep& step = report.failure->recording.steps[i];
    Json item = {
        {"agent", step.agent}, {"kind", agent::NameOf(step.kind)}, {"text", StepText(step)}};
    if (IsAnswer(step)) {
      const Comparison& result = report.played.steps[i];
      item["result"] = NameOf(result.kind);
      item["differences"] = strings(result.differences);
      if (result.kind != Comparison::Kind::kSame) {
        item["octets"] = OctetsText(step.bytes);
        item["octets_now"] = OctetsText(report.played.now[report.played.at[i]].bytes);
      }
    }
    json.Value(item);
  }
  json.Close().Key("said").Array();
  for (const AgentOutput& output : report.played.said) {
    json.Value({{"agent", output.agent},
                {"from", output.from},
                {"cut", output.cut},
                {"lines", strings(output.lines)}});
  }
  json.Close().Close();
  out << '\n';
}

}  // namespace pmproof::validator::agent
