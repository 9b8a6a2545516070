// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "validator/testee/operation.h"
#include "validator/testee/pdu_json.h"
#include "validator/testee/request_reader.h"

// Operation pdu.decode: what the bytes of PDUs, back to back, mean to a reader of a version of PCP.

namespace pmproof::validator {
namespace {

const pdu::Strictness& StrictnessOf(PcpVersion version) {
  switch (version) {
    case PcpVersion::k6_0_3:
      return pdu::kV60;
    case PcpVersion::k6_3_8:
      return pdu::kV63;
    case PcpVersion::k7_2:
      break;
  }
  return pdu::kV72;
}

class PduDecode final : public Operation {
 public:
  std::string_view name() const override { return "pdu.decode"; }

  Outcome Run(const Json& request) override {
    RequestReader reader(request);
    reader.ExpectNoInput();
    reader.KnowKeys(reader.args(), "args", {"bytes", "dialect"});
    const PcpVersion version = reader.Dialect().version;
    const auto bytes = ParseHex(reader.NeededText(reader.args(), "bytes", "args"));
    if (!bytes) reader.Fail("args.bytes: no hexadecimal digits");
    if (reader.stopped()) return reader.Stop();

    pdu::FrameReader frames;
    frames.Append(*bytes);
    pdu::Decoder decoder(StrictnessOf(version));
    Json pdus = Json::array();
    while (true) {
      const std::size_t at = bytes->size() - frames.pending();
      const auto frame = frames.Next();
      if (!frame) return RefusalAt(at, frame.error());
      if (!*frame) {
        if (const auto ended = frames.AtEnd(); !ended) return RefusalAt(at, ended.error());
        return Answered{DumpJson({{"pdus", std::move(pdus)}}, -1)};
      }
      const auto pdu = decoder.Decode(**frame);
      if (!pdu) return RefusalAt(at, pdu.error());
      pdus.push_back(PduJson(*pdu));
    }
  }

 private:
  // `at`: where in all bytes the PDU begins.
  static Reject RefusalAt(std::size_t at, const pdu::PduError& error) {
    Reject reject = PduRefusal(error);
    reject.offset = at + error.offset;
    return reject;
  }
};

}  // namespace

std::unique_ptr<Operation> MakePduDecode() { return std::make_unique<PduDecode>(); }

}  // namespace pmproof::validator
