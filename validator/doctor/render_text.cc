// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "validator/doctor/doctor.h"
#include "validator/text/display.h"
#include "validator/text/version.h"

namespace pmproof::validator {
namespace {

std::size_t WidthOfNames(const DoctorReport& report) {
  std::size_t width = 0;
  for (const Companion& companion : report.companions) {
    width = std::max(width, Columns(companion.name));
  }
  return width;
}

class DoctorText {
 public:
  DoctorText(const DoctorReport& report, const Screen& screen, std::ostream& out)
      : report_(report), screen_(screen), out_(out), indent_(WidthOfNames(report) + 4) {}

  void Write() {
    out_ << "pmproof " << kVersion << " (rules " << report_.rules << ")";
    if (!report_.program.empty()) out_ << ", " << Displayable(report_.program);
    out_ << '\n'
         << (report_.settings ? "settings of " + Displayable(*report_.settings)
                              : "no pmproof.toml here or in a folder above")
         << '\n';
    WriteAll("\ninstalled", true);
    WriteAll("\nnot installed; archives, agents and collectors are checked without", false);
  }

 private:
  void WriteAll(const char* heading, bool there) {
    bool any = false;
    for (const Companion& companion : report_.companions) {
      if (companion.there != there) continue;
      if (!any) out_ << heading << '\n';
      any = true;
      out_ << "  " << companion.name << std::string(indent_ - 2 - Columns(companion.name), ' ');
      if (there) {
        Lines({companion.detail, std::string("for ") + companion.serves});
      } else {
        Lines({std::string("for ") + companion.serves, companion.detail, companion.get});
      }
    }
  }

  void Lines(const std::vector<std::string>& lines) {
    bool first = true;
    for (const std::string& line : lines) {
      if (line.empty()) continue;
      if (!first) out_ << std::string(indent_, ' ');
      first = false;
      out_ << Wrap(Displayable(line), screen_.width, indent_) << '\n';
    }
  }

  const DoctorReport& report_;
  const Screen& screen_;
  std::ostream& out_;
  const std::size_t indent_;
};

}  // namespace

void RenderDoctorText(const DoctorReport& report, const Screen& screen, std::ostream& out) {
  DoctorText(report, screen, out).Write();
}

}  // namespace pmproof::validator
