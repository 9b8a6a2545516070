// SPDX-License-Identifier: Apache-2.0
#ifndef PMPROOF_VALIDATOR_COLLECTOR_CHANNEL_H_
#define PMPROOF_VALIDATOR_COLLECTOR_CHANNEL_H_

#include <memory>

#include "reference/core/bytes.h"
#include "reference/pmda/pdu/frame_reader.h"
#include "reference/pmda/transport/deadline.h"
#include "reference/pmda/transport/transport.h"
#include "validator/protocol_check/answer.h"
#include "validator/protocol_check/exchange_log.h"

namespace pmproof::validator::collector {

using agent::Answer;

// A connection over which PDUs go: of a client with the collector, or of the collector with one of
// its agents. What passes is written down. A resource; its destructor closes the connection.
class Channel {
 public:
  explicit Channel(std::unique_ptr<pmda::Transport> transport);

  // What passes from now on is written to `log` as that of connection `number`. Null: to none.
  void LogTo(agent::ExchangeLog* log, unsigned number);
  unsigned number() const { return number_; }

  // Any bytes: a PDU, a part of one, several. False: nobody reads them any more, or not before the
  // deadline.
  bool Send(Bytes bytes, pmda::Deadline deadline);

  // The next PDU.
  Answer Receive(pmda::Deadline deadline);

  // Waits until something has come, or the end. False: not before the deadline.
  bool WaitForInput(pmda::Deadline deadline);

  // Whether the other end has closed it and nothing but what has come is left. Takes nothing away.
  bool ended();

  void Close();
  bool open() const { return transport_ != nullptr; }

 private:
  Answer Partial(Answer::Kind kind, const char* what) const;

  std::unique_ptr<pmda::Transport> transport_;
  pdu::FrameReader frames_;
  agent::ExchangeLog* log_ = nullptr;
  unsigned number_ = 0;
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_CHANNEL_H_
