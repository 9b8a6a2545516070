// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/descriptor_transport.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>

#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/quiet_write.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

using Outcome = Transfer::Outcome;

enum class Form : std::uint8_t { kSocket, kNonBlocking, kBlocking };

// Shared by the two directions of a socket; the last one that lets go closes it.
using SharedDescriptor = std::shared_ptr<const Descriptor>;

Form FormOf(const Descriptor& descriptor) {
  struct stat state = {};
  if (fstat(descriptor.get(), &state) == 0 && S_ISSOCK(state.st_mode)) return Form::kSocket;
  const int flags = fcntl(descriptor.get(), F_GETFL);
  return flags >= 0 && (flags & O_NONBLOCK) != 0 ? Form::kNonBlocking : Form::kBlocking;
}

// What keeps a write to a pipe that nobody reads from raising SIGPIPE.
enum class Sigpipe : std::uint8_t { kBlockedMeanwhile, kIgnored };

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

Outcome OutcomeOf(int error) {
  return error == EPIPE || error == ECONNRESET || error == ENOTCONN || error == ETIMEDOUT
             ? Outcome::kBroken
             : Outcome::kFailed;
}

class DescriptorTransport final : public Transport {
 public:
  DescriptorTransport(SharedDescriptor read, SharedDescriptor write, Sigpipe sigpipe)
      : read_(std::move(read)),
        write_(std::move(write)),
        read_form_(FormOf(*read_)),
        write_form_(FormOf(*write_)),
        sigpipe_(sigpipe) {}

  Transfer Read(std::span<std::uint8_t> into, Deadline deadline) override {
    if (read_descriptor() < 0) return {Outcome::kClosed};
    if (into.empty()) return {};
    // Without a deadline the call itself may wait.
    bool must_wait = read_form_ == Form::kBlocking && !deadline.never();
    for (;;) {
      if (must_wait) {
        const Transfer waited = WaitFor(read_->get(), POLLIN, deadline);
        if (!waited.moved()) return waited;
      }
      const ssize_t size = read_form_ == Form::kSocket
                               ? recv(read_->get(), into.data(), into.size(), MSG_DONTWAIT)
                               : read(read_->get(), into.data(), into.size());
      if (size > 0) return {Outcome::kMoved, static_cast<std::size_t>(size)};
      if (size == 0) return {Outcome::kEndOfFile};
      if (WouldBlock(errno))
        must_wait = true;
      else if (errno != EINTR)
        return {OutcomeOf(errno), 0, errno};
    }
  }

  Transfer Write(Bytes from, Deadline deadline) override {
    if (write_descriptor() < 0) return {Outcome::kClosed};
    if (from.empty()) return {};
    bool must_wait = write_form_ == Form::kBlocking && !deadline.never();
    // A pipe that poll() calls writable takes this much without blocking.
    if (must_wait && from.size() > PIPE_BUF) from = from.first(PIPE_BUF);
    for (;;) {
      if (must_wait) {
        const Transfer waited = WaitFor(write_->get(), POLLOUT, deadline);
        if (!waited.moved()) return waited;
      }
      const ssize_t size = WriteOnce(from);
      if (size > 0) return {Outcome::kMoved, static_cast<std::size_t>(size)};
      // poll() may call a pipe with less than PIPE_BUF of room writable, where write() takes none.
      if (size == 0 || WouldBlock(errno))
        must_wait = true;
      else if (errno != EINTR)
        return {OutcomeOf(errno), 0, errno};
    }
  }

  Readiness Wait(Readiness wanted, Deadline deadline) override {
    Readiness ready = {.read = wanted.read && read_descriptor() < 0,
                       .write = wanted.write && write_descriptor() < 0};
    pollfd waits[2] = {
        {.fd = wanted.read ? read_descriptor() : -1, .events = POLLIN, .revents = 0},
        {.fd = wanted.write ? write_descriptor() : -1, .events = POLLOUT, .revents = 0}};
    if (ready.read || ready.write) deadline = Deadline::Passed();
    Poll(waits, deadline);
    ready.read |= waits[0].revents != 0;
    ready.write |= waits[1].revents != 0;
    return ready;
  }

  void CloseWriting() override {
    if (write_form_ == Form::kSocket && write_) shutdown(write_->get(), SHUT_WR);
    write_.reset();
  }

  void CloseReading() override {
    if (read_form_ == Form::kSocket && read_) shutdown(read_->get(), SHUT_RD);
    read_.reset();
  }

  int read_descriptor() const override { return read_ ? read_->get() : -1; }
  int write_descriptor() const override { return write_ ? write_->get() : -1; }

 private:
  ssize_t WriteOnce(Bytes from) const {
    if (write_form_ == Form::kSocket)
      return send(write_->get(), from.data(), from.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sigpipe_ == Sigpipe::kIgnored) return write(write_->get(), from.data(), from.size());
    return QuietWrite(write_->get(), from);
  }

  static Transfer WaitFor(int descriptor, short events, Deadline deadline) {
    pollfd wait = {.fd = descriptor, .events = events, .revents = 0};
    const int ready = Poll({&wait, 1}, deadline);
    if (ready < 0) return {Outcome::kFailed, 0, errno};
    return {ready == 0 ? Outcome::kTimeout : Outcome::kMoved};
  }

  SharedDescriptor read_;  // none: this direction is closed
  SharedDescriptor write_;
  Form read_form_;
  Form write_form_;
  Sigpipe sigpipe_;
};

std::unique_ptr<Transport> OverDescriptors(Descriptor read, Descriptor write, Sigpipe sigpipe) {
  return std::make_unique<DescriptorTransport>(std::make_shared<const Descriptor>(std::move(read)),
                                               std::make_shared<const Descriptor>(std::move(write)),
                                               sigpipe);
}

// Two calls of the system less for each write.
Sigpipe IgnoreSigpipe() {
  struct sigaction now = {};
  if (sigaction(SIGPIPE, nullptr, &now) != 0) return Sigpipe::kBlockedMeanwhile;
  if ((now.sa_flags & SA_SIGINFO) != 0) return Sigpipe::kBlockedMeanwhile;
  if (now.sa_handler == SIG_IGN) return Sigpipe::kIgnored;
  if (now.sa_handler != SIG_DFL || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
    return Sigpipe::kBlockedMeanwhile;
  return Sigpipe::kIgnored;
}

// Not below 3, so that the three standard descriptors can be put in place afterwards.
Descriptor Duplicate(int descriptor) { return Descriptor(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)); }

}  // namespace

std::unique_ptr<Transport> MakePipeTransport(Descriptor read, Descriptor write) {
  return OverDescriptors(std::move(read), std::move(write), Sigpipe::kBlockedMeanwhile);
}

std::unique_ptr<Transport> MakeSocketTransport(Descriptor socket) {
  auto both = std::make_shared<const Descriptor>(std::move(socket));
  return std::make_unique<DescriptorTransport>(both, both, Sigpipe::kBlockedMeanwhile);
}

Result<TransportPair> MakePipePair() {
  int requests[2];
  int replies[2];
  if (pipe2(requests, O_CLOEXEC | O_NONBLOCK) != 0)
    return tl::unexpected(SystemError("making a pipe", errno));
  Descriptor agent_in(requests[0]);
  Descriptor collector_out(requests[1]);
  if (pipe2(replies, O_CLOEXEC | O_NONBLOCK) != 0)
    return tl::unexpected(SystemError("making a pipe", errno));
  return TransportPair(MakePipeTransport(Descriptor(replies[0]), std::move(collector_out)),
                       MakePipeTransport(std::move(agent_in), Descriptor(replies[1])));
}

Result<TransportPair> MakeSocketPair() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(SystemError("making a socket pair", errno));
  return TransportPair(MakeSocketTransport(Descriptor(ends[0])),
                       MakeSocketTransport(Descriptor(ends[1])));
}

Result<std::unique_ptr<Transport>> TakeStandardStreams() {
  Descriptor in = Duplicate(STDIN_FILENO);
  Descriptor out = Duplicate(STDOUT_FILENO);
  if (!in.open() || !out.open())
    return tl::unexpected(SystemError("taking standard input and output", errno));
  Descriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  const int log = fcntl(STDERR_FILENO, F_GETFD) >= 0 ? STDERR_FILENO : nowhere.get();
  if (!nowhere.open() || dup2(nowhere.get(), STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0)
    return tl::unexpected(SystemError("replacing standard input and output", errno));
  return OverDescriptors(std::move(in), std::move(out), IgnoreSigpipe());
}

}  // namespace pmproof::pmda
