// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_TESTEE_REQUEST_READER_H_
#define PMPROOF_VALIDATOR_TESTEE_REQUEST_READER_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference/derived/dialect.h"
#include "validator/testee/outcome.h"
#include "validator/text/json_values.h"

namespace pmproof::validator {

// Takes the parts of a request, and keeps the first complaint: a Failure for what makes no sense, a
// Skip for what is not known here, without which the answer would be another. `path` is how
// complaints name the object that a part is in. The request outlives it.
class RequestReader {
 public:
  explicit RequestReader(const Json& request)
      : input_(Object(request, "input")), args_(Object(request, "args")) {}

  // Empty objects where there are none.
  const Json& input() const { return input_; }
  const Json& args() const { return args_; }

  bool stopped() const { return stop_.has_value(); }
  // The complaint, which is there.
  Outcome Stop() { return std::move(*stop_); }

  void Fail(std::string what) { StopBy(Failure{std::move(what)}); }
  void StopBy(Outcome outcome) {
    if (!stop_) stop_ = std::move(outcome);
  }

  using Keys = std::span<const std::string_view>;
  void KnowKeys(const Json& object, const std::string& path, Keys known, Keys more = {});
  void KnowKeys(const Json& object, const std::string& path,
                std::initializer_list<std::string_view> known) {
    KnowKeys(object, path, Keys(known.begin(), known.size()));
  }

  // Nothing, and no complaint, where there is no such key.
  std::optional<std::string> Text(const Json& object, const char* key, const std::string& path);
  std::optional<bool> Flag(const Json& object, const char* key, const std::string& path);
  std::optional<std::int64_t> Integer(const Json& object, const char* key, const std::string& path,
                                      std::int64_t least, std::int64_t most);
  // A complaint, and an empty text, where there is no such key.
  std::string NeededText(const Json& object, const char* key, const std::string& path);
  // A list of strings that is not empty.
  std::vector<std::string> Texts(const Json& list, const std::string& path);

  // The archives of `input`.
  std::vector<std::string> Archives();
  // `input` has nothing.
  void ExpectNoInput() { KnowKeys(input_, "input", {}); }

  // args.dialect: 7.2.2 if there is none.
  const derived::Dialect& Dialect();

 private:
  const Json& Object(const Json& in, const char* key);

  std::optional<Outcome> stop_;
  const Json& input_;
  const Json& args_;
};

}  // namespace pmproof::validator

#endif  // PMPROOF_VALIDATOR_TESTEE_REQUEST_READER_H_
