// SPDX-License-Identifier: Apache-2.0
#include "validator/tool_output/error_text.h"

#include <algorithm>
#include <array>

namespace pmproof::validator::tool_output {
namespace {

struct Entry {
  std::int32_t code;
  std::string_view name;
  std::string_view text;
};

// As pmerr -l of 6.0.3, 6.3.8 and 7.2.2 prints them; a code with two texts changed its words.
constexpr std::array kTexts = {
    Entry{-12345, "PM_ERR_GENERIC", "Generic error, already reported above"},
    Entry{-12346, "PM_ERR_PMNS", "Problems parsing PMNS definitions"},
    Entry{-12347, "PM_ERR_NOPMNS", "PMNS not accessible"},
    Entry{-12348, "PM_ERR_DUPPMNS", "Attempt to reload the PMNS"},
    Entry{-12349, "PM_ERR_TEXT", "One-line or help text is not available"},
    Entry{-12350, "PM_ERR_APPVERSION",
          "Metric not supported by this version of monitored application"},
    Entry{-12351, "PM_ERR_VALUE", "Missing metric value(s)"},
    Entry{-12353, "PM_ERR_TIMEOUT", "Timeout waiting for a response from PMCD"},
    Entry{-12354, "PM_ERR_NODATA", "Empty archive file"},
    Entry{-12354, "PM_ERR_NODATA", "Empty archive log file"},
    Entry{-12355, "PM_ERR_RESET", "PMCD reset or configuration change"},
    Entry{-12357, "PM_ERR_NAME", "Unknown metric name"},
    Entry{-12358, "PM_ERR_PMID", "Unknown or illegal metric identifier"},
    Entry{-12359, "PM_ERR_INDOM", "Unknown or illegal instance domain identifier"},
    Entry{-12360, "PM_ERR_INST", "Unknown or illegal instance identifier"},
    Entry{-12361, "PM_ERR_UNIT", "Illegal pmUnits specification"},
    Entry{-12362, "PM_ERR_CONV", "Impossible value or scale conversion"},
    Entry{-12363, "PM_ERR_TRUNC", "Truncation in value conversion"},
    Entry{-12364, "PM_ERR_SIGN", "Negative value in conversion to unsigned"},
    Entry{-12365, "PM_ERR_PROFILE", "Explicit instance identifier(s) required"},
    Entry{-12366, "PM_ERR_IPC", "IPC protocol failure"},
    Entry{-12368, "PM_ERR_EOF", "IPC channel closed"},
    Entry{-12369, "PM_ERR_NOTHOST", "Operation requires context with host source of metrics"},
    Entry{-12370, "PM_ERR_EOL", "End of PCP archive"},
    Entry{-12370, "PM_ERR_EOL", "End of PCP archive log"},
    Entry{-12371, "PM_ERR_MODE", "Illegal mode specification"},
    Entry{-12372, "PM_ERR_LABEL", "Illegal label record at start of a PCP archive file"},
    Entry{-12372, "PM_ERR_LABEL", "Illegal label record at start of a PCP archive log file"},
    Entry{-12373, "PM_ERR_LOGREC", "Corrupted record in a PCP archive"},
    Entry{-12373, "PM_ERR_LOGREC", "Corrupted record in a PCP archive log"},
    Entry{-12374, "PM_ERR_NOTARCHIVE", "Operation requires context with archive source of metrics"},
    Entry{-12375, "PM_ERR_LOGFILE", "Missing PCP archive file"},
    Entry{-12375, "PM_ERR_LOGFILE", "Missing PCP archive log file"},
    Entry{-12376, "PM_ERR_NOCONTEXT", "Attempt to use an illegal context"},
    Entry{-12377, "PM_ERR_PROFILESPEC", "NULL pmInDom with non-NULL instlist"},
    Entry{-12378, "PM_ERR_PMID_LOG", "Metric not defined in the PCP archive"},
    Entry{-12378, "PM_ERR_PMID_LOG", "Metric not defined in the PCP archive log"},
    Entry{-12379, "PM_ERR_INDOM_LOG", "Instance domain identifier not defined in the PCP archive"},
    Entry{-12379, "PM_ERR_INDOM_LOG",
          "Instance domain identifier not defined in the PCP archive log"},
    Entry{-12380, "PM_ERR_INST_LOG", "Instance identifier not defined in the PCP archive"},
    Entry{-12380, "PM_ERR_INST_LOG", "Instance identifier not defined in the PCP archive log"},
    Entry{-12381, "PM_ERR_NOPROFILE", "Missing profile - protocol botch"},
    Entry{-12386, "PM_ERR_NOAGENT", "No PMCD agent for domain of request"},
    Entry{-12387, "PM_ERR_PERMISSION", "No permission to perform requested operation"},
    Entry{-12388, "PM_ERR_CONNLIMIT", "PMCD connection limit for this host exceeded"},
    Entry{-12389, "PM_ERR_AGAIN", "Try again. Information not currently available"},
    Entry{-12390, "PM_ERR_ISCONN", "Already Connected"},
    Entry{-12391, "PM_ERR_NOTCONN", "Not Connected"},
    Entry{-12392, "PM_ERR_NEEDPORT", "A non-null port name is required"},
    Entry{-12394, "PM_ERR_NONLEAF", "Metric name is not a leaf in PMNS"},
    Entry{-12397, "PM_ERR_TYPE", "Unknown or illegal metric type"},
    Entry{-12398, "PM_ERR_THREAD", "Operation not supported for multi-threaded applications"},
    Entry{-12399, "PM_ERR_NOCONTAINER", "Container not found"},
    Entry{-12400, "PM_ERR_BADSTORE", "Bad input to pmstore"},
    Entry{-12401, "PM_ERR_LOGOVERLAP", "Archives overlap in time"},
    Entry{-12402, "PM_ERR_LOGHOST", "Archives differ by host"},
    Entry{-12404, "PM_ERR_LOGCHANGETYPE", "The type of a metric has changed in an archive"},
    Entry{-12405, "PM_ERR_LOGCHANGESEM", "The semantics of a metric has changed in an archive"},
    Entry{-12406, "PM_ERR_LOGCHANGEINDOM",
          "The instance domain of a metric has changed in an archive"},
    Entry{-12407, "PM_ERR_LOGCHANGEUNITS", "The units of a metric have changed in an archive"},
    Entry{-12408, "PM_ERR_NEEDCLIENTCERT", "PMCD requires a client certificate"},
    Entry{-12409, "PM_ERR_BADDERIVE", "Derived metric definition failed"},
    Entry{-12410, "PM_ERR_NOLABELS", "No support for metric label metadata"},
    Entry{-12411, "PM_ERR_PMDAFENCED",
          "PMDA is currently fenced and unable to respond to requests"},
    Entry{-12412, "PM_ERR_RECTYPE", "Incorrect record type in an archive"},
    Entry{-12413, "PM_ERR_FEATURE", "Archive feature not supported"},
    Entry{-12414, "PM_ERR_TLS", "TLS protocol failure"},
    Entry{-12415, "PM_ERR_ARG", "Bad value for function argument"},
    Entry{-12442, "PM_ERR_BOTCH", "Internal inconsistency detected or assertion failed"},
    Entry{-12443, "PM_ERR_TOOSMALL", "Insufficient elements in list"},
    Entry{-12444, "PM_ERR_TOOBIG", "Result size exceeded"},
    Entry{-12445, "PM_ERR_FAULT", "QA fault injected"},
    Entry{-13393, "PM_ERR_PMDAREADY", "PMDA is now responsive to requests"},
    Entry{-13394, "PM_ERR_PMDANOTREADY", "PMDA is not yet ready to respond to requests"},
    Entry{-21344, "PM_ERR_NYI", "Functionality not yet implemented"},
    Entry{-1, "errno 1", "Operation not permitted"},
    Entry{-2, "errno 2", "No such file or directory"},
    Entry{-11, "errno 11", "Resource temporarily unavailable"},
    Entry{-12, "errno 12", "Cannot allocate memory"},
    Entry{-13, "errno 13", "Permission denied"},
    Entry{-22, "errno 22", "Invalid argument"},
    Entry{-32, "errno 32", "Broken pipe"},
};

}  // namespace

std::optional<std::int32_t> CodeOfText(std::string_view text) {
  const auto found = std::ranges::find(kTexts, text, &Entry::text);
  if (found == kTexts.end()) return std::nullopt;
  return found->code;
}

std::string_view NameOfCode(std::int32_t code) {
  const auto found = std::ranges::find(kTexts, code, &Entry::code);
  return found == kTexts.end() ? std::string_view() : found->name;
}

}  // namespace pmproof::validator::tool_output
