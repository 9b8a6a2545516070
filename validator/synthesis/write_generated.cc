// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/write_generated.h"

#include <memory>
#include <utility>

#include "generators/truth.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/archive_writer.h"

namespace pmproof::validator {
namespace {

using Failure = std::optional<Status>;

// A file of an output that is closed when all of them are.
class OneOfMany final : public archive::OutputFile {
 public:
  explicit OneOfMany(archive::PartOutput& file) : file_(file) {}
  Failure Write(Bytes bytes) override {
    file_.buffer()->insert(file_.buffer()->end(), bytes.begin(), bytes.end());
    return file_.Settle();
  }
  Failure Close() override { return std::nullopt; }

 private:
  archive::PartOutput& file_;
};

// An archive and its truth.
class Sink final : public generators::ArchiveSink {
 public:
  Sink(archive::ArchiveWriter& writer, generators::TruthWriter* truth,
       const WriteGeneratedOptions& options, Generated* generated)
      : writer_(writer), truth_(truth), options_(options), generated_(generated) {}

  Failure Take(const archive::MetaRecordModel& record) override {
    if (auto error = writer_.Append(record)) return error;
    return truth_ == nullptr ? std::nullopt : truth_->Take(record);
  }
  Failure Take(const archive::ResultModel& result) override {
    if (options_.stop && options_.stop())
      return Status{.kind = Status::Kind::kBudget, .message = "interrupted; nothing was written"};
    if (auto error = writer_.Append(result)) return error;
    ++generated_->results;
    if (result.sets.empty()) ++generated_->marks;
    return truth_ == nullptr ? std::nullopt : truth_->Take(result, writer_.volume());
  }
  void NextVolume() override { writer_.NextVolume(); }

 private:
  archive::ArchiveWriter& writer_;
  generators::TruthWriter* truth_;
  const WriteGeneratedOptions& options_;
  Generated* generated_;
};

std::string FileNameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

class Writing {
 public:
  Writing(generators::Generation& generation, archive::ArchiveOutput& output,
          const WriteGeneratedOptions& options)
      : generation_(generation), output_(output), options_(options) {}

  Failure Write(const std::string& name) {
    archive::WriterOptions writer_options;
    writer_options.label = generation_.Label();
    writer_options.index = generation_.Index();
    writer_options.compression = options_.compression;
    archive::ArchiveWriter writer(output_, name, writer_options);
    std::unique_ptr<OneOfMany> file;
    std::unique_ptr<generators::TruthWriter> truth;
    if (options_.truth) {
      const auto part = output_.AddFile(FileNameOf(TruthName(name)), archive::Compression::kNone);
      if (!part) return part.error();
      file = std::make_unique<OneOfMany>(**part);
      generators::TruthHead head{writer_options.label, options_.compression,
                                 generation_.Ingredients(), std::nullopt};
      if (const std::vector<Clause>* rules = generation_.violates()) {
        head.violates.emplace();
        for (const Clause rule : *rules) head.violates->push_back(rule.ToString());
      }
      truth = std::make_unique<generators::TruthWriter>(head, *file);
    }
    Sink sink(writer, truth.get(), options_, &generated_);
    const auto progress = [this](std::uint64_t bytes) {
      generated_.bytes += bytes;
      if (options_.progress) options_.progress(bytes);
    };
    if (auto error = generation_.Next(sink, progress)) return error;
    if (auto error = writer.Finish()) return error;
    if (truth != nullptr) {
      if (auto error = truth->Finish()) return error;
    }
    if (options_.archive_done) options_.archive_done();
    return std::nullopt;
  }

  const Generated& generated() const { return generated_; }

 private:
  generators::Generation& generation_;
  archive::ArchiveOutput& output_;
  const WriteGeneratedOptions& options_;
  Generated generated_;
};

}  // namespace

std::vector<std::string> GeneratedNames(const std::string& out, std::uint64_t archives) {
  if (archives == 1) return {out};
  std::vector<std::string> names;
  for (std::uint64_t i = 1; i <= archives; ++i) names.push_back(out + "-" + std::to_string(i));
  return names;
}

std::string TruthName(const std::string& archive) { return archive + ".truth.json"; }

Result<Generated> WriteGenerated(generators::Generation& generation,
                                 archive::OutputStorage& storage, const std::string& out,
                                 const WriteGeneratedOptions& options) {
  archive::ArchiveOutput output(storage, out);
  Writing writing(generation, output, options);
  for (const std::string& name : GeneratedNames(out, generation.archives())) {
    if (auto error = writing.Write(name)) return tl::unexpected(*std::move(error));
  }
  if (auto error = output.Publish(options.replaced)) return tl::unexpected(*std::move(error));
  return writing.generated();
}

}  // namespace pmproof::validator
