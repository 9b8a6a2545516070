// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "validator/testee/operation.h"
#include "validator/testee/pdu_json.h"
#include "validator/testee/request_reader.h"

// Operation pdu.encode: the bytes of PDUs, back to back.

namespace pmproof::validator {
namespace {

class PduEncode final : public Operation {
 public:
  std::string_view name() const override { return "pdu.encode"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"pdus"});
    const auto pdus = args.find("pdus");
    if (pdus == args.end() || !pdus->is_array() || pdus->empty()) {
      reader.Fail("args.pdus: no list, or an empty one");
    }
    if (reader.stopped()) return reader.Stop();
    std::string hex;
    for (const Json& pdu : *pdus) {
      const auto bytes = BytesOf(pdu);
      if (!bytes) return bytes.error();
      hex += HexOf(*bytes);
    }
    return Answered{DumpJson({{"bytes", hex}}, -1)};
  }
};

}  // namespace

std::unique_ptr<Operation> MakePduEncode() { return std::make_unique<PduEncode>(); }

}  // namespace pmproof::validator
