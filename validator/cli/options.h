// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_CLI_OPTIONS_H_
#define PMPROOF_VALIDATOR_CLI_OPTIONS_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The options and operands of one command, as data: parsing, --help, manual pages and completions
// are made from it.

namespace pmproof::validator {

// Takes one value as it was given. Returns what is wrong with it, or "".
using TakeValue = std::function<std::string(std::string_view text)>;

struct Option {
  enum class Kind : std::uint8_t { kFlag, kValue, kOperand };

  Kind kind = Kind::kValue;
  std::vector<std::string> names{};  // "-d", "--domain"; of an operand one, such as "ARCHIVE"
  std::string value_name{};          // "FILE"; empty for flags and operands
  std::string help{};
  std::vector<std::string> choices{};  // all values that it takes; empty: not a closed list
  std::string default_value{};         // as --help shows it; empty: none is shown
  bool required = false;
  bool repeats = false;                 // else the last value wins
  bool from_settings = false;           // takes a value of Settings where none is given
  char delimiter = '\0';                // between several values in one word; '\0': none
  std::vector<std::string> excludes{};  // names of options that cannot stand beside it
  TakeValue take{};                     // of a flag: given ""

  // "--domain", or the name of an operand.
  const std::string& name() const { return names.back(); }

  Option& Required() { return required = true, *this; }
  Option& Default(std::string text) { return default_value = std::move(text), *this; }
  Option& Delimiter(char c) { return delimiter = c, *this; }
  Option& FromSettings() { return from_settings = true, *this; }
  Option& Excludes(std::vector<std::string> others) { return excludes = std::move(others), *this; }
};

// One of the names of a choice, and what it stands for.
template <typename Value>
using NamedValue = std::pair<const char*, Value>;

std::string TakeUnsigned(std::string_view text, std::uint64_t least, std::uint64_t most,
                         std::uint64_t* number);
std::string TakeNumber(std::string_view text, double least, double most, double* number);

// Reads "256M", "64 KiB", "1.5G", "4096": bytes, with powers of 1024. Nothing if it is not a size
// of 64 bits.
std::optional<std::uint64_t> ParseSize(std::string_view text);

// The declaration of a command. The variables that `to` points to outlive it.
class Options {
 public:
  // Names are "--name" or "-n,--name". What is returned is valid as long as this.
  Option& Flag(std::string_view names, std::string help, bool* to);
  Option& Text(std::string_view names, std::string value_name, std::string help, std::string* to);
  Option& Text(std::string_view names, std::string value_name, std::string help,
               std::optional<std::string>* to);
  // May be repeated.
  Option& Texts(std::string_view names, std::string value_name, std::string help,
                std::vector<std::string>* to);
  Option& Operand(std::string name, std::string help, std::string* to);
  // Takes all operands that are left. Declared last.
  Option& Operands(std::string name, std::string help, std::vector<std::string>* to);

  // One of a closed list of words.
  template <typename Value, typename To>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): they are moved on
  Option& Choice(std::string_view names, std::string value_name, std::string help,
                 std::vector<NamedValue<Value>> values, To* to) {
    std::vector<std::string> words;
    for (const auto& [word, value] : values) words.emplace_back(word);
    Option& option = AddValue(names, std::move(value_name), std::move(help),
                              [values = std::move(values), to](std::string_view text) {
                                for (const auto& [word, value] : values) {
                                  if (text == word) *to = value;
                                }
                                return std::string();
                              });
    option.choices = std::move(words);
    return option;
  }
  Option& Choice(std::string_view names, std::string value_name, std::string help,
                 std::vector<std::string> words, std::string* to);

  // A whole number from `least` to `most`, into an integer or an optional one.
  template <typename To>
  // NOLINTNEXTLINE(performance-unnecessary-value-param): they are moved on
  Option& Number(std::string_view names, std::string value_name, std::string help,
                 std::uint64_t least, std::uint64_t most, To* to) {
    return AddValue(names, std::move(value_name), std::move(help),
                    [least, most, to](std::string_view text) {
                      std::uint64_t number = 0;
                      std::string wrong = TakeUnsigned(text, least, most, &number);
                      if (wrong.empty()) Set(number, to);
                      return wrong;
                    });
  }

  // Bytes, such as 256M.
  Option& Size(std::string_view names, std::string help, std::uint64_t* to);
  Option& Size(std::string_view names, std::string help, std::optional<std::uint64_t>* to);

  // A number from `least` to `most`, seconds for example.
  Option& Decimal(std::string_view names, std::string value_name, std::string help, double least,
                  double most, double* to);

  Option& Add(Option option);

  // What --help says after the options.
  Options& Notes(std::string text) { return notes_ = std::move(text), *this; }
  // Whole command lines, "pmproof check /var/log/pcp".
  Options& Examples(std::vector<std::string> lines) { return examples_ = std::move(lines), *this; }
  // "0 conformant; 1 findings ...".
  Options& ExitStatuses(std::string text) { return statuses_ = std::move(text), *this; }

  const std::deque<Option>& all() const { return options_; }
  const std::string& notes() const { return notes_; }
  const std::vector<std::string>& examples() const { return examples_; }
  const std::string& exit_statuses() const { return statuses_; }

 private:
  template <typename Number>
  static void Set(std::uint64_t value, Number* to) {
    *to = static_cast<Number>(value);
  }
  template <typename Number>
  static void Set(std::uint64_t value, std::optional<Number>* to) {
    *to = static_cast<Number>(value);
  }
  Option& AddValue(std::string_view names, std::string value_name, std::string help,
                   TakeValue take);

  std::deque<Option> options_;  // references stay valid
  std::string notes_;
  std::vector<std::string> examples_;
  std::string statuses_;
};

inline constexpr std::uint64_t kMostNumber = std::numeric_limits<std::uint64_t>::max();

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_CLI_OPTIONS_H_
