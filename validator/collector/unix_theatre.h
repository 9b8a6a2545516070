#ifndef PMPROOF_VALIDATOR_COLLECTOR_UNIX_THEATRE_H_
#define PMPROOF_VALIDATOR_COLLECTOR_UNIX_THEATRE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/core/status.h"
#include "reference/pmda/transport/descriptor.h"
#include "validator/collector/cast.h"
#include "validator/collector/theatre.h"

namespace pmproof::validator::collector {

// Listens on a unix socket, to which the puppets of a collector connect (puppet_agent.h). A
// resource: its destructor closes all channels, at which the puppets end, and removes the socket.
class UnixTheatre final : public Theatre {
 public:
  // A socket that is there already is stale and is removed, any other file is not. The folder says
  // who may connect. Errors: kUsage for a path that is too long, else kUnreadable.
  static Result<std::unique_ptr<UnixTheatre>> Open(const std::string& path);
  ~UnixTheatre() override;

  Puppet* Find(std::string_view role, unsigned generation, pmda::Deadline deadline) override;

  // Waits for all roles that a collector starts; names those that are missing at the deadline.
  std::vector<std::string_view> AwaitAll(pmda::Deadline deadline);

 private:
  UnixTheatre(std::string path, pmda::Descriptor socket);
  Puppet* FindPresent(std::string_view role, unsigned generation);
  void Accept();

  std::string path_;
  pmda::Descriptor socket_;
  std::vector<std::unique_ptr<Puppet>> puppets_{};
};

}  // namespace pmproof::validator::collector

#endif  // PMPROOF_VALIDATOR_COLLECTOR_UNIX_THEATRE_H_
