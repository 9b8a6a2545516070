#include "reference/pmda/dso/host.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference/pmda/dso/agent.h"
#include "reference/pmda/pdu/decoder.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/transfer.h"

namespace pmproof::dso {
namespace {

using pmda::Deadline;
using pmda::Transfer;

// What the end of the process looks at, in memory that is never given back: an agent that calls
// exit() ends the process inside one of its functions (DSO-022, DSO-033).
struct Watch {
  Observer* observer = nullptr;  // null: the host has ended in order
  std::string_view init{};
  const std::string_view* running = nullptr;
};

extern "C" void OnExit(int status, void* data) {
  const auto* watch = static_cast<const Watch*>(data);
  const std::string_view function = watch->running != nullptr ? *watch->running : watch->init;
  if (watch->observer == nullptr || function.empty()) return;
  watch->observer->OnViolation({function == "init" ? "DSO-022"_clause : "DSO-033"_clause, function,
                                "called exit(" + std::to_string(status) + ")"});
}

// Whether a PDU that can not be decoded is answered with an ERROR (section 10).
bool WantsAnswer(pdu::PduType type) {
  switch (type) {
    case pdu::PduType::kFetch:
    case pdu::PduType::kDescReq:
    case pdu::PduType::kInstanceReq:
    case pdu::PduType::kTextReq:
    case pdu::PduType::kResult:
    case pdu::PduType::kPmnsIds:
    case pdu::PduType::kPmnsNames:
    case pdu::PduType::kPmnsChild:
    case pdu::PduType::kPmnsTraverse:
    case pdu::PduType::kLabelReq:
      return true;
    default:
      return false;
  }
}

// Reads PDUs; one after another stays valid until the next call.
class Requests {
 public:
  explicit Requests(pmda::Transport& transport) : transport_(&transport) {}

  // Nothing at the end; then `end` says which.
  std::optional<Bytes> Next() {
    for (;;) {
      const auto frame = frames_.Next();
      if (!frame) return std::nullopt;  // PMD-063
      if (*frame) return **frame;
      const auto space = frames_.Space();
      const Transfer read = transport_->Read(space, Deadline::Never());
      if (!read.moved()) {
        failed_ = read.outcome == Transfer::Outcome::kFailed;
        return std::nullopt;
      }
      frames_.Commit(read.size);
    }
  }

  bool failed() const { return failed_; }

 private:
  pmda::Transport* transport_;
  pdu::FrameReader frames_;
  bool failed_ = false;
};

class Host {
 public:
  Host(const Interface& interface, pmda::Transport& transport, Observer& observer)
      : agent_(interface, observer),
        flags_(interface.flags),
        transport_(&transport),
        requests_(transport) {}

  const std::string_view& running() const { return agent_.running(); }

  HostEnd Serve() {
    if (!Greet()) return requests_.failed() ? HostEnd::kChannel : HostEnd::kEndOfFile;
    for (;;) {
      const auto bytes = requests_.Next();
      if (!bytes) return requests_.failed() ? HostEnd::kChannel : HostEnd::kEndOfFile;
      out_.clear();
      if (const auto request = decoder_.Decode(*bytes)) {
        agent_.Answer(*request, &out_);
      } else if (WantsAnswer(pdu::LoadHeader(*bytes).type)) {
        // An ERROR is always encoded.
        (void)pdu::Encode({.body = pdu::Error{.code = request.error().code}}, &out_);
      }
      if (!out_.empty() && Write() == Transfer::Outcome::kFailed) return HostEnd::kChannel;
    }
  }

 private:
  // PDU-130, PDU-135: whatever comes instead of CREDS is swallowed, but for a CREDS that is none.
  bool Greet() {
    const pdu::Credential version[] = {pdu::Credential::Version(pdu::kProtocolVersion, flags_)};
    (void)pdu::Encode({.from = static_cast<std::int32_t>(getpid()), .body = pdu::Creds{version}},
                      &out_);
    Write();
    const auto bytes = requests_.Next();
    return bytes && (pdu::LoadHeader(*bytes).type != pdu::PduType::kCreds ||
                     decoder_.Decode(*bytes).has_value());
  }

  // Nobody reading any more is no end: requests may still come (PDU-013).
  Transfer::Outcome Write() { return pmda::WriteAll(*transport_, out_, Deadline::Never()).outcome; }

  Agent agent_;
  std::uint16_t flags_;
  pmda::Transport* transport_;
  Requests requests_;
  pdu::Decoder decoder_;
  pdu::Buffer out_;
};

}  // namespace

HostEnd RunHost(const LibraryName& name, std::uint32_t domain, pmda::Transport& transport,
                Observer& observer) {
  const Init init = Load(name, observer);
  if (init == nullptr) return HostEnd::kNotStarted;
  auto* watch = new Watch{.observer = &observer, .init = "init"};  // NOLINT: see Watch
  on_exit(OnExit, watch);
  const auto interface = Initialise(init, domain, observer);
  watch->init = {};
  HostEnd end = HostEnd::kNotStarted;
  if (interface) {
    Host host(*interface, transport, observer);
    watch->running = &host.running();
    end = host.Serve();
  }
  *watch = {};
  if (end == HostEnd::kChannel) {
    observer.OnViolation({"DSO-033"_clause, "", "the channel was closed within the process"});
  }
  return end;
}

}  // namespace pmproof::dso
