#ifndef FIRSTCONTACT_FASTDDS_ACKS_HPP
#define FIRSTCONTACT_FASTDDS_ACKS_HPP

#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <fastdds/rtps/common/Guid.h>
#include <fastdds/rtps/transport/TransportDescriptorInterface.h>

namespace firstcontact {

using Guid = eprosima::fastrtps::rtps::GUID_t;

/* Acks knows which remote readers have acknowledged what of which writers: they
   have matched these writers for certain. The library itself tells of a match
   when this side knows of it. */
class Acks {
public:
  void heard (const Guid &writer, const Guid &reader);
  bool has (const Guid &writer, const Guid &reader);
  void forget (const Guid &writer, const Guid &reader);

private:
  std::mutex mutex;
  std::set<std::pair<Guid, Guid>> pairs;
};

/* read_acks passes the acknowledgements in an RTPS message on. */
void read_acks (const unsigned char *message, size_t size, Acks &acks);

/* listening is a transport that passes everything on, and to acks what arrives
   of acknowledgements. */
std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface>
listening (std::shared_ptr<eprosima::fastdds::rtps::TransportDescriptorInterface> transport, std::shared_ptr<Acks> acks);

} // namespace firstcontact

#endif
