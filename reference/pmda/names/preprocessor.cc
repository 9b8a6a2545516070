// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/names/preprocessor.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "reference/core/printable.h"
#include "reference/pmda/names/characters.h"

namespace pmproof::pmda {
namespace {

// The clause of most of what goes wrong here.
constexpr Clause kPreprocessing = "PMD-306"_clause;

constexpr bool IsMacroStart(char c) { return IsLetter(c) || c == '_'; }
constexpr bool IsMacroPart(char c) { return IsMacroStart(c) || IsDigit(c); }

bool IsMacroName(std::string_view name) {
  return !name.empty() && IsMacroStart(name[0]) &&
         std::all_of(name.begin(), name.end(), IsMacroPart);
}

enum class Control { kNone, kDefine, kUndef, kInclude, kIfdef, kIfndef, kElse, kEndif, kShell };

// A directive is known by how the line begins: "#definex 1" defines x [Q].
std::pair<Control, std::string_view> ControlOf(std::string_view line) {
  static constexpr std::array<std::pair<std::string_view, Control>, 8> kWords = {{
      {"#define", Control::kDefine},
      {"#undef", Control::kUndef},
      {"#include", Control::kInclude},
      {"#ifdef", Control::kIfdef},
      {"#ifndef", Control::kIfndef},
      {"#else", Control::kElse},
      {"#endif", Control::kEndif},
      {"#shell", Control::kShell},
  }};
  for (const auto& [word, control] : kWords) {
    if (line.starts_with(word)) return {control, line.substr(word.size())};
  }
  return {Control::kNone, {}};
}

struct OpenFile {
  std::string text;
  std::size_t file;
  std::size_t at = 0;
  std::size_t line = 0;
};

class Preprocessor {
 public:
  Preprocessor(const IncludeReader& includes, const Macros& given)
      : includes_(includes), given_(given), macros_(given) {}

  tl::expected<Preprocessed, Diagnosis> Run(std::string_view text, const std::string& file) {
    Open(std::string(text), file);
    while (!open_.empty() && !error_) NextLine();
    if (!error_) CheckEnd();
    if (error_) return tl::unexpected(*std::move(error_));
    result_.macros = std::move(macros_);
    return std::move(result_);
  }

 private:
  struct Place {
    std::size_t file = 0;
    std::size_t line = 0;
  };

  void Open(std::string text, const std::string& name) {
    bytes_ += text.size();
    if (bytes_ > kMaxTextFile) {
      return Fail("more than " + std::to_string(kMaxTextFile) + " bytes with all that is included");
    }
    result_.files.push_back(name);
    open_.push_back({std::move(text), result_.files.size() - 1});
  }

  Place Here() const { return {open_.back().file, open_.back().line}; }

  void Fail(std::string message, Clause clause = kPreprocessing) {
    const Place at = open_.empty() ? Place() : Here();
    FailAt(at, std::move(message), clause);
  }
  void FailAt(Place at, std::string message, Clause clause = kPreprocessing) {
    if (error_) return;
    const std::string file = at.file < result_.files.size() ? result_.files[at.file] : "";
    error_ = {Diagnosis::Severity::kError, file, at.line, clause, std::move(message)};
  }
  void Warn(std::string message) {
    const Place at = Here();
    AddDiagnosis({Diagnosis::Severity::kWarning, result_.files[at.file], at.line, "PMD-306"_clause,
                  std::move(message)},
                 result_.warnings);
  }

  void NextLine() {
    OpenFile& file = open_.back();
    const std::string_view rest = std::string_view(file.text).substr(file.at);
    if (rest.empty()) {
      open_.pop_back();
      return;
    }
    ++file.line;
    const std::size_t size = rest.find('\n');
    std::string line(rest.substr(0, size));
    file.at += size == std::string_view::npos ? rest.size() : size + 1;
    if (line.find('\0') != std::string::npos) return Fail("a NUL byte");
    BlankOutComments(line);
    if (error_) return;
    if (size == std::string_view::npos) {
      if (!SkipBlanks(line).empty()) Warn("the last line has no newline and is not read");
      return;
    }
    const auto [control, argument] = ControlOf(line);
    if (control != Control::kNone) return Obey(control, argument);
    // PCP hands on other lines with "#" even where a condition leaves all else out.
    if (leaving_out_ && !line.starts_with('#')) return;
    Emit(line);
  }

  void BlankOutComments(std::string& line) {
    std::size_t at = 0;
    while (at < line.size()) {
      const std::size_t begin = comment_ ? at : line.find("/*", at);
      if (begin == std::string::npos) return;
      const std::size_t text = comment_ ? at : begin + 2;
      if (!comment_) comment_ = Here();
      const std::size_t close = line.find("*/", text);
      const std::size_t end = close == std::string::npos ? line.size() : close + 2;
      std::fill(line.begin() + static_cast<std::ptrdiff_t>(begin),
                line.begin() + static_cast<std::ptrdiff_t>(end), ' ');
      if (close == std::string::npos) return;
      comment_.reset();
      at = end;
    }
  }

  void Emit(const std::string& line) {
    std::string text;
    std::size_t at = 0;
    while (at < line.size() && text.size() < kMaxSourceLine) {
      if (!IsMacroStart(line[at])) {
        text += line[at++];
        continue;
      }
      std::size_t end = at + 1;
      while (end < line.size() && IsMacroPart(line[end])) ++end;
      const std::string_view word = std::string_view(line).substr(at, end - at);
      const auto macro = macros_.find(word);
      // Nothing is replaced in what has been replaced.
      text += macro == macros_.end() ? word : std::string_view(macro->second);
      at = end;
    }
    if (text.size() >= kMaxSourceLine) {
      return Fail("a line longer than " + std::to_string(kMaxSourceLine - 1) + " characters",
                  "PMD-305"_clause);
    }
    if (SkipBlanks(text).empty()) return;
    result_.lines.push_back({std::move(text), Here().file, Here().line});
  }

  void Obey(Control control, std::string_view argument) {
    switch (control) {
      case Control::kDefine:
        return Define(argument);
      case Control::kUndef:
        if (const auto name = OnlyName(argument);
            name && !leaving_out_ && !given_.contains(*name)) {
          if (const auto found = macros_.find(*name); found != macros_.end()) macros_.erase(found);
        }
        return;
      case Control::kInclude:
        return leaving_out_ ? void() : Include(argument);
      case Control::kIfdef:
      case Control::kIfndef:
        if (condition_) return Fail("#ifdef and #ifndef cannot be nested");
        if (const auto name = OnlyName(argument)) {
          condition_ = Here();
          leaving_out_ = macros_.contains(*name) != (control == Control::kIfdef);
        }
        return;
      case Control::kElse:
        if (!condition_) return Fail("#else without #ifdef or #ifndef");
        if (!SkipBlanks(argument).empty()) return Fail("text after #else");
        leaving_out_ = !leaving_out_;
        return;
      case Control::kEndif:
        if (!condition_) return Fail("#endif without #ifdef or #ifndef");
        if (!SkipBlanks(argument).empty()) return Fail("text after #endif");
        condition_.reset();
        leaving_out_ = false;
        return;
      case Control::kShell:
        // What a file says is not run as a command here.
        return leaving_out_ ? void() : Fail("#shell is not supported");
      case Control::kNone:
        return;
    }
  }

  std::optional<std::string_view> Name(std::string_view& argument) {
    argument = SkipBlanks(argument);
    const std::string_view name = FirstWord(argument);
    if (name.empty()) {
      Fail("a macro name is missing");
      return std::nullopt;
    }
    if (!IsMacroName(name)) {
      Fail("not a macro name: " + Printable(name));
      return std::nullopt;
    }
    argument = SkipBlanks(argument.substr(name.size()));
    return name;
  }

  std::optional<std::string_view> OnlyName(std::string_view argument) {
    const auto name = Name(argument);
    if (name && !argument.empty()) {
      Fail("text after the macro name " + Printable(*name));
      return std::nullopt;
    }
    return name;
  }

  void Define(std::string_view argument) {
    const auto name = Name(argument);
    if (!name) return;
    std::string_view value = FirstWord(argument);
    std::string_view rest = argument.substr(value.size());
    if (!argument.empty() && (argument[0] == '"' || argument[0] == '\'')) {
      const std::size_t end = argument.find(argument[0], 1);
      if (end == std::string_view::npos) return Fail("the value's closing quote is missing");
      value = argument.substr(1, end - 1);
      rest = argument.substr(end + 1);
    }
    if (!SkipBlanks(rest).empty()) return Fail("text after the value of " + Printable(*name));
    if (leaving_out_ || given_.contains(*name)) return;
    if (!macros_.emplace(*name, value).second) {
      Fail("macro " + Printable(*name) + " is defined already");
    }
  }

  void Include(std::string_view argument) {
    argument = SkipBlanks(argument);
    if (argument.empty() || (argument[0] != '"' && argument[0] != '<')) {
      return Fail("\" or < expected after #include");
    }
    const char close = argument[0] == '<' ? '>' : '"';
    const std::size_t end = argument.find(close, 1);
    if (end == std::string_view::npos)
      return Fail(std::string(1, close) + " expected after the file's name");
    if (!SkipBlanks(argument.substr(end + 1)).empty()) return Fail("text after the file's name");
    if (open_.size() >= kMaxIncludeDepth) {
      return Fail("#include deeper than " + std::to_string(kMaxIncludeDepth) + " files");
    }
    const std::string name(argument.substr(1, end - 1));
    auto text = includes_(name);
    if (!text) return Fail("cannot include " + Printable(name) + ": " + text.error());
    Open(*std::move(text), name);
  }

  void CheckEnd() {
    if (comment_) return FailAt(*comment_, "a comment that is not closed");
    if (condition_) return FailAt(*condition_, "a condition without #endif");
  }

  const IncludeReader& includes_;
  const Macros& given_;
  Preprocessed result_;
  std::optional<Diagnosis> error_;
  std::vector<OpenFile> open_;
  std::size_t bytes_ = 0;
  Macros macros_;
  // Where the comment or the condition began that holds here, through ends of files [Q].
  std::optional<Place> comment_;
  std::optional<Place> condition_;
  bool leaving_out_ = false;
};

}  // namespace

tl::expected<Preprocessed, Diagnosis> Preprocess(std::string_view text, const std::string& file,
                                                 const IncludeReader& includes,
                                                 const Macros& given) {
  return Preprocessor(includes, given).Run(text, file);
}

}  // namespace pmproof::pmda
