// SPDX-License-Identifier: Apache-2.0
#include "validator/synthesis/generate_described.h"

#include <string>
#include <utility>
#include <vector>

#include "generators/description/description.h"
#include "reference/archive/archive_output.h"
#include "reference/archive/output_storage.h"
#include "validator/cli/command_support.h"
#include "validator/cli/output_name.h"
#include "validator/output/interruptible_output.h"
#include "validator/output/interruption.h"
#include "validator/synthesis/write_files.h"
#include "validator/synthesis/write_generated.h"
#include "validator/text/display.h"

namespace pmproof::validator {

ExitStatus GenerateDescribed(const DescribedArguments& arguments, const CommonArguments& common,
                             const Environment& environment) {
  const auto fail = [&environment](ExitStatus status, const std::string& message) {
    return Fail(environment, status, message);
  };
  const std::string& path = arguments.description;
  const auto file = environment.storage.Open(path);
  if (!file) return fail(ExitStatus::kUnreadable, file.error().ToText());
  auto archives = generators::ReadDescription(AsText((*file)->bytes()));
  if (!archives) {
    archives.error().file = path;
    return fail(ExitStatus::kUsage, archives.error().ToText());
  }

  NamedFiles named;
  std::vector<std::string> present;
  std::size_t records = 0;
  std::uint64_t bytes = 0;
  const std::vector<std::string> names = GeneratedNames(arguments.out, archives->size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto refusal = RefuseBaseName(environment.storage, names[i]); !refusal.empty())
      return fail(ExitStatus::kUsage, names[i] + ": " + refusal);
    for (std::string& old : archive::FilesOf(environment.storage, names[i]))
      present.push_back(std::move(old));
    const std::string prefix = names[i].substr(names[i].rfind('/') + 1) + ".";
    for (auto& [suffix, content] : (*archives)[i].Image().files) {
      bytes += content.size();
      named.files[prefix + suffix] = std::move(content);
    }
    for (const auto& [volume, results] : (*archives)[i].plan.volumes) records += results.size();
  }
  if (const std::string refusal = RefuseReplacing(present, {path}, arguments.force);
      !refusal.empty()) {
    return fail(ExitStatus::kUsage, refusal);
  }
  Interruption interruption;
  interruption.Defer();
  InterruptibleOutput output(archive::MakePosixOutput(), [&] { return interruption.wished(); });
  if (const auto error = WriteFiles(output, arguments.out, named, present)) {
    return FailToWrite(environment, interruption, ExitStatus::kInternal, error->ToText());
  }
  if (!common.quiet) {
    environment.err << Displayable(arguments.out) << ": "
                    << (names.size() > 1 ? Plural(names.size(), "archive") + ", " : "")
                    << Plural(records, "data record") << ", " << ByteSize(bytes) << '\n';
  }
  return ExitStatus::kOk;
}

}  // namespace pmproof::validator
