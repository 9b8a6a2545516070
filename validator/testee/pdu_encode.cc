// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "validator/testee/operation.h"
#include "validator/testee/pdu_json.h"
#include "validator/testee/request_reader.h"
#include "validator/testee/typed_result.h"

// Operation pdu.encode: the bytes of PDUs, back to back, or of one result of typed values.

namespace pmproof::validator {
namespace {

class PduEncode final : public Operation {
 public:
  std::string_view name() const override { return "pdu.encode"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    const Json& args = reader.args();
    reader.KnowKeys(args, "args", {"pdus", "typed_result"});
    const auto pdus = args.find("pdus");
    const auto typed = args.find("typed_result");
    if (typed != args.end() && pdus != args.end()) {
      reader.Fail("args: typed_result excludes pdus");
    } else if (typed != args.end()) {
      if (!typed->is_object()) reader.Fail("args.typed_result: no object");
      if (reader.stopped()) return reader.Stop();
      return EncodeTypedResult(&reader, *typed, "args.typed_result");
    } else if (pdus == args.end() || !pdus->is_array() || pdus->empty()) {
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
