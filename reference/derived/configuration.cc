// SPDX-License-Identifier: Apache-2.0
#include "reference/derived/configuration.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "reference/derived/blanks.h"
#include "reference/derived/configuration_lines.h"

namespace pmproof::derived {
namespace {

constexpr std::string_view kControl = "#control";

// What comes from files counts as text in C: it ends at a NUL.
std::string_view UpToNul(std::string_view text) { return text.substr(0, text.find('\0')); }

bool BeginsControl(std::string_view line) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return line.size() >= kControl.size() &&
         std::ranges::equal(line.substr(0, kControl.size()), kControl, {}, lower);
}

// The text right of "=" and the caret below it, its blanks kept (DER-325).
std::string WithCaret(std::string_view text, std::size_t caret) {
  std::string lines(text);
  lines += '\n';
  for (std::size_t i = 0; i < std::max(text.size(), caret + 1); ++i) {
    const bool blank = i < text.size() && kBlanks.find(text[i]) != std::string_view::npos;
    lines += i == caret ? '^' : blank ? text[i] : ' ';
  }
  return lines + '\n';
}

class Loader {
 public:
  Loader(std::string_view text, const std::string& file, Configured target,
         ConfigurationListener& listener)
      : dialect_(target.registry->dialect()),
        lines_(text, dialect_.lazy_binding),
        file_(file),
        target_(target),
        listener_(listener) {}

  std::uint64_t Load() {
    target_.registry->RegisterEventMetrics();
    while (const auto line = lines_.Next()) TakeLine(*line);
    return registered_;
  }

 private:
  // An attribute as its line has it.
  struct Attribute {
    std::string_view name;
    std::string value;
    std::string_view extra;  // after a quoted value
  };

  ConfigurationProblem Problem(std::string message, Clause clause) const {
    ConfigurationProblem problem;
    problem.file = file_;
    problem.line = lines_.number();
    problem.message = std::move(message);
    problem.clause = clause;
    return problem;
  }

  // With the line below it; a line is shown up to a NUL.
  void Report(std::string_view what, Clause clause, std::string_view line,
              std::string_view name = {}) {
    ConfigurationProblem problem = Problem("pmLoadDerivedConfig: " + std::string(what), clause);
    problem.shown = std::string(UpToNul(line)) + "\n";
    problem.name = name;
    listener_.OnProblem(problem);
  }

  void TakeLine(std::string_view line) {
    if (line.empty()) return;
    if (line[0] == '#') {
      if (dialect_.controls && BeginsControl(line)) TakeControl(line);
      return;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return Report("missing ``='' after derived metric name", "DER-321"_clause, line);
    }
    const std::string_view left = line.substr(0, equals);
    const std::size_t open = left.find('(');
    const bool attribute = open != std::string_view::npos;
    const std::string_view name = WithoutBlanks(UpToNul(attribute ? left.substr(0, open) : left));
    if (name.empty()) return Report("derived metric name missing", "DER-322"_clause, line);
    if (!IsConfigurationName(name)) {
      ConfigurationProblem problem =
          Problem("pmLoadDerivedConfig: illegal derived metric name (" + std::string(name) + ")",
                  "DER-323"_clause);
      problem.name = name;
      return listener_.OnProblem(problem);
    }
    if (attribute) return TakeAttribute(line, name, left.substr(open + 1));
    TakeDefinition(line, name, UpToNul(line.substr(equals + 1)));
  }

  // After the word alone the text is empty (DER-408).
  void TakeControl(std::string_view line) {
    const std::string_view text = UpToNul(line.substr(std::min(kControl.size() + 1, line.size())));
    for (ControlProblem& found : target_.controls->Take(text)) {
      ConfigurationProblem problem = Problem(std::move(found.message), found.clause);
      if (!found.error) problem.severity = ConfigurationProblem::Severity::kWarning;
      listener_.OnProblem(problem);
    }
    target_.registry->set_limit(target_.controls->global_limit());
  }

  void TakeDefinition(std::string_view line, std::string_view name, std::string_view text) {
    const std::string_view expression = WithoutLeadingBlanks(text);
    if (expression.empty()) return Report("expression missing", "DER-324"_clause, line, name);
    auto definition = target_.registry->Register(name, expression);
    if (definition) {
      ++registered_;
      return listener_.OnDefinition(**definition, file_, lines_.number());
    }
    ConfigurationProblem problem =
        Problem("pmRegisterDerived(" + std::string(name) + ", ...) syntax error", "DER-325"_clause);
    const RegistrationError& error = definition.error();
    const std::size_t lead = text.size() - expression.size();
    problem.shown =
        WithCaret(text, lead + static_cast<std::size_t>(std::max<std::int64_t>(error.position, 0)));
    if (!error.message.empty()) problem.shown += error.message + "\n";
    problem.name = name;
    problem.expression = expression;
    problem.refused = std::move(definition.error());
    listener_.OnProblem(problem);
  }

  void TakeAttribute(std::string_view line, std::string_view metric, std::string_view behind_open) {
    const auto report = [&](const std::string& what, Clause clause) {
      Report(what, clause, line, metric);
    };
    const std::size_t close = behind_open.find(')');
    if (close == std::string_view::npos) {
      return report("missing ')' after attribute", "DER-326"_clause);
    }
    Attribute attribute{WithoutBlanks(behind_open.substr(0, close)), {}, {}};
    if (attribute.name.empty()) return report("attribute name missing", "DER-327"_clause);
    const std::string_view value = WithoutLeadingBlanks(UpToNul(line.substr(line.find('=') + 1)));
    const bool quoted = value.starts_with('"') || value.starts_with('\'');
    // [Q] A quote at the end of the line opens nothing.
    if (value.size() <= (quoted ? 1U : 0U)) {
      return report("attribute value missing", "DER-327"_clause);
    }
    if (!quoted) {
      attribute.value = value;
    } else if (!TakeQuotedValue(value, &attribute)) {
      ConfigurationProblem problem = Problem("pmLoadDerivedConfig: missing termination (" +
                                                 std::string(value.substr(0, 1)) + ") for value",
                                             "DER-328"_clause);
      problem.name = metric;
      return listener_.OnProblem(problem);
    }
    const std::string_view extra = WithoutLeadingBlanks(UpToNul(attribute.extra));
    if (!extra.empty()) {
      ConfigurationProblem problem =
          Problem("pmLoadDerivedConfig: extra text (" + std::string(extra) +
                      ") after attribute value will be ignored",
                  "DER-308"_clause);
      problem.severity = ConfigurationProblem::Severity::kWarning;
      problem.name = metric;
      listener_.OnProblem(problem);
    }
    SetAttribute(std::string(metric), std::string(attribute.name), std::move(attribute.value),
                 line);
  }

  // `text` begins with the quote.
  bool TakeQuotedValue(std::string_view text, Attribute* attribute) {
    const char quote = text[0];
    bool escaped = false;
    const auto length = TakeQuoted(text.substr(1), quote, &attribute->value, &escaped);
    if (length) {
      attribute->extra = text.substr(1 + *length);
      return true;
    }
    if (!escaped) attribute->value += '\n';
    auto rest = lines_.NextQuoted(quote);
    if (!rest) return false;
    attribute->value += rest->value;
    attribute->extra = rest->behind;
    return true;
  }

  void SetAttribute(const std::string& metric, const std::string& name, std::string value,
                    std::string_view line) {
    const auto report = [&](const std::string& what) {
      Report(what, "DER-329"_clause, line, metric);
    };
    Registry& registry = *target_.registry;
    if (registry.Find(metric) == nullptr) {
      return report("cannot set attribute, derived metric (" + metric + ") not defined");
    }
    const bool oneline = name == "oneline";
    if (!oneline && name != "helptext") {
      return report("attribute (" + name + ") is unknown for metric (" + metric + ")");
    }
    const bool set = oneline ? registry.SetOneLine(metric, std::move(value))
                             : registry.SetHelpText(metric, std::move(value));
    if (!set) report("duplicate value for attribute (" + name + ") of metric (" + metric + ")");
  }

  const Dialect& dialect_;
  ConfigurationLines lines_;
  const std::string& file_;
  const Configured target_;
  ConfigurationListener& listener_;
  std::uint64_t registered_ = 0;
};

// Loads what `path` is and what is below it.
class PathLoader {
 public:
  PathLoader(const archive::Storage& storage, Configured target, ConfigurationListener& listener)
      : storage_(storage), target_(target), listener_(listener) {}

  Result<std::uint64_t> Load(std::string path) {
    std::uint64_t registered = 0;
    std::vector<std::string> open{std::move(path)};  // the next one last
    while (!open.empty()) {
      const std::string next = std::move(open.back());
      open.pop_back();
      const auto kind = storage_.KindOf(next);
      if (!kind) return tl::unexpected(kind.error());
      if (*kind == archive::DirectoryEntry::Kind::kDirectory) {
        const auto entries = storage_.List(next);
        if (!entries) return tl::unexpected(entries.error());
        for (auto entry = entries->rbegin(); entry != entries->rend(); ++entry) {
          if (entry->kind == archive::DirectoryEntry::Kind::kOther) continue;
          open.push_back(next + (next.ends_with('/') ? "" : "/") + entry->name);
        }
      } else if (*kind == archive::DirectoryEntry::Kind::kFile) {
        const auto file = storage_.Open(next);
        if (!file) return tl::unexpected(file.error());
        const Bytes bytes = (*file)->bytes();
        registered += LoadConfiguration(
            std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()), next,
            target_, listener_);
      }
    }
    return registered;
  }

 private:
  const archive::Storage& storage_;
  const Configured target_;
  ConfigurationListener& listener_;
};

// Of two colons in a row, or one at the beginning.
Status WithoutName() {
  return {.kind = Status::Kind::kNotFound,
          .clause = "DER-301"_clause,
          .message = "a component of the path has no name",
          .code = ErrorCode{-ENOENT}};
}

}  // namespace

std::string ToText(const ConfigurationProblem& problem) {
  std::string text = "[" + problem.file + ":" + std::to_string(problem.line) + "] ";
  text += problem.severity == ConfigurationProblem::Severity::kError ? "Error: " : "Warning: ";
  return text + problem.message + "\n" + problem.shown;
}

std::uint64_t LoadConfiguration(std::string_view text, const std::string& file, Configured target,
                                ConfigurationListener& listener) {
  return Loader(text, file, target, listener).Load();
}

Result<std::uint64_t> LoadConfigurationPath(const archive::Storage& storage, std::string_view path,
                                            Configured target, ConfigurationListener& listener) {
  PathLoader loader(storage, target, listener);
  std::uint64_t registered = 0;
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    const std::string component(path.substr(0, colon));
    path.remove_prefix(std::min(colon + 1, path.size()));
    if (component.empty()) return tl::unexpected(WithoutName());
    const auto loaded = loader.Load(component);
    if (!loaded) return tl::unexpected(loaded.error());
    registered += *loaded;
  }
  return registered;
}

}  // namespace pmproof::derived
