// SPDX-License-Identifier: Apache-2.0
#include "reference/pmda/transport/listen.h"

#include <grp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "reference/pmda/transport/connect.h"
#include "reference/pmda/transport/descriptor_transport.h"
#include "reference/pmda/transport/poll.h"
#include "reference/pmda/transport/socket_address.h"
#include "reference/pmda/transport/system_error.h"

namespace pmproof::pmda {
namespace {

constexpr mode_t kSocketMode = 0660;
constexpr int kBacklog = 1;

// Tried, as PMD-003 says: most agents may not, or there is no such user.
void GiveToPcp(const std::string& path) {
  std::vector<char> buffer(65536);
  passwd user = {};
  group users = {};
  passwd* found_user = nullptr;
  group* found_group = nullptr;
  getpwnam_r("pcp", &user, buffer.data(), buffer.size(), &found_user);
  const uid_t owner = found_user != nullptr ? user.pw_uid : static_cast<uid_t>(-1);
  getgrnam_r("pcp", &users, buffer.data(), buffer.size(), &found_group);
  const gid_t owning = found_group != nullptr ? users.gr_gid : static_cast<gid_t>(-1);
  [[maybe_unused]] const int given = lchown(path.c_str(), owner, owning);
}

// 0 or an errno.
int BindPath(int socket, const SocketAddress& address, const std::string& path) {
  RemoveSocketFile(path);
  // The mode of a socket before it is bound limits that of its file from the beginning on; the
  // process's umask may take more away, which chmod gives back.
  if (fchmod(socket, kSocketMode) != 0) return errno;
  if (bind(socket, address.get(), address.size) != 0) return errno;
  if (chmod(path.c_str(), kSocketMode) != 0) return errno;
  GiveToPcp(path);
  return 0;
}

int BindPort(int socket, const SocketAddress& address) {
  const int on = 1;
  if (setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0) return errno;
  return bind(socket, address.get(), address.size) == 0 ? 0 : errno;
}

std::uint16_t PortOf(int socket) {
  sockaddr_storage own = {};
  socklen_t size = sizeof own;
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) return 0;
  return ntohs(own.ss_family == AF_INET ? reinterpret_cast<sockaddr_in&>(own).sin_port
                                        : reinterpret_cast<sockaddr_in6&>(own).sin6_port);
}

}  // namespace

Listener::Listener(Address address, Descriptor socket)
    : address_(std::move(address)), socket_(std::move(socket)) {}

Result<Listener> Listener::Open(const Address& address) {
  Address bound = address;
  bound.host.clear();
  const auto target = Resolve(bound);
  if (!target) return tl::unexpected(target.error());
  Descriptor made(socket(target->family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const bool is_unix = bound.kind == Address::Kind::kUnix;
  int error = made.open() ? 0 : errno;
  if (error == 0)
    error = is_unix ? BindPath(made.get(), *target, bound.path) : BindPort(made.get(), *target);
  if (error == 0 && listen(made.get(), kBacklog) != 0) error = errno;
  if (error != 0) return tl::unexpected(SystemError("listening on " + bound.ToText(), error));
  if (!is_unix) bound.port = PortOf(made.get());
  return Listener(std::move(bound), std::move(made));
}

Result<std::unique_ptr<Transport>> Listener::Accept(Deadline deadline) {
  const std::string doing = "accepting on " + address_.ToText();
  for (;;) {
    if (!socket_.open()) return tl::unexpected(SystemError(doing, EBADF));
    Descriptor accepted(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (accepted.open()) {
      socket_.Reset();
      const int on = 1;
      if (address_.kind != Address::Kind::kUnix)
        setsockopt(accepted.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return MakeSocketTransport(std::move(accepted));
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return tl::unexpected(SystemError(doing, errno));
    pollfd wait = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (Poll({&wait, 1}, deadline) == 0) return tl::unexpected(SystemError(doing, ETIMEDOUT));
  }
}

}  // namespace pmproof::pmda
