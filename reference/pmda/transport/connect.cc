// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/connect.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/socket_address.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

// Where nobody listens on a port that the system also gives out by itself, TCP may connect a socket
// to itself. It looks like a connection, and keeps the agent from its port.
bool IsConnectedToItself(int socket) {
  sockaddr_storage own = {};
  sockaddr_storage peer = {};
  socklen_t own_size = sizeof own;
  socklen_t peer_size = sizeof peer;
  return getsockname(socket, reinterpret_cast<sockaddr*>(&own), &own_size) == 0 &&
         getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0 &&
         own.ss_family != AF_UNIX && own_size == peer_size &&
         std::memcmp(&own, &peer, own_size) == 0;
}

// Without a TIME_WAIT that would hold the port.
void Abort(Descriptor socket) {
  const linger at_once = {.l_onoff = 1, .l_linger = 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

// 0, or the errno of this one try.
int Try(const SocketAddress& address, Deadline deadline, Descriptor& connected) {
  Descriptor made(socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!made.open()) return errno;
  if (connect(made.get(), address.get(), address.size) != 0) {
    if (errno != EINPROGRESS && errno != EINTR) return errno;
    // A connection on this host is refused or made at once: even with no time, see which.
    pollfd wait = {.fd = made.get(), .events = POLLOUT, .revents = 0};
    if (Poll({&wait, 1}, deadline) == 0) return ETIMEDOUT;
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(made.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
    if (error != 0) return error;
  }
  if (IsConnectedToItself(made.get())) {
    Abort(std::move(made));
    return ECONNREFUSED;
  }
  const int on = 1;
  if (address.family() != AF_UNIX) setsockopt(made.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connected = std::move(made);
  return 0;
}

bool MayComeLater(int error) {
  return error == ENOENT || error == ECONNREFUSED || error == EAGAIN || error == ECONNRESET ||
         error == ETIMEDOUT;
}

}  // namespace

Result<std::unique_ptr<Transport>> Connect(const Address& address, Deadline deadline,
                                           const std::function<bool()>& go_on) {
  const auto target = Resolve(address);
  if (!target) return tl::unexpected(target.error());
  constexpr auto kBetweenTries = std::chrono::milliseconds(10);
  for (;;) {
    Descriptor connected;
    const int error = Try(*target, deadline, connected);
    if (error == 0) return MakeSocketTransport(std::move(connected));
    if (!MayComeLater(error) || deadline.passed() || (go_on && !go_on()))
      return tl::unexpected(SystemError("connecting to " + address.ToText(), error));
    std::this_thread::sleep_for(
        std::min<Deadline::Clock::duration>(kBetweenTries, deadline.remaining()));
  }
}

bool RemoveSocketFile(const std::string& path) {
  struct stat state = {};
  return lstat(path.c_str(), &state) == 0 && S_ISSOCK(state.st_mode) && unlink(path.c_str()) == 0;
}

}  // namespace pmproof::pmda
