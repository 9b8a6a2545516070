// SPDX-License-Identifier: Apache-2.0
#include "validator/replay/answer_source.h"

#include <utility>

namespace pmproof::validator {
namespace {

class Raw : public AnswerSource {
 public:
  Raw(const replay::ReplayArchive& archive, replay::RecordedRequest request)
      : archive_(archive), request_(std::move(request)) {}

  std::optional<Status> Read(const Sink& sink) override {
    auto end = replay::ReadRecorded(archive_, request_,
                                    [&](const replay::FetchAnswer& answer) { sink(answer, {}); });
    if (!end) return end.error();
    cut_ = std::move(end->cut);
    return std::nullopt;
  }

  std::optional<Status> Warning() const override { return cut_; }

 private:
  const replay::ReplayArchive& archive_;
  replay::RecordedRequest request_;
  std::optional<Status> cut_;
};

class Interpolated : public AnswerSource {
 public:
  Interpolated(const replay::ReplayArchive& archive, replay::ReplayRequest request,
               const replay::Profile& profile, Times times, std::function<bool()> stopped)
      : context_(archive, std::move(request), profile),
        times_(std::move(times)),
        stopped_(std::move(stopped)) {}

  std::optional<Status> Read(const Sink& sink) override {
    while (true) {
      const std::vector<Timestamp> batch = times_.NextBatch();
      if (batch.empty() || stopped_()) return std::nullopt;
      const auto plain = [&](const replay::FetchAnswer& answer) { sink(answer, {}); };
      if (std::optional<Status> error = context_.Fetch(batch, plain)) return error;
    }
  }

  std::optional<Status> Warning() const override { return context_.overlap(); }

 private:
  replay::ReplayContext context_;
  Times times_;
  std::function<bool()> stopped_;
};

}  // namespace

std::unique_ptr<AnswerSource> RawAnswers(const replay::ReplayArchive& archive,
                                         replay::RecordedRequest request) {
  return std::make_unique<Raw>(archive, std::move(request));
}

std::unique_ptr<AnswerSource> InterpolatedAnswers(const replay::ReplayArchive& archive,
                                                  replay::ReplayRequest request,
                                                  const replay::Profile& profile, Times times,
                                                  std::function<bool()> stopped) {
  return std::make_unique<Interpolated>(archive, std::move(request), profile, std::move(times),
                                        std::move(stopped));
}

}  // namespace pmproof::validator
