//go:build fastdds

/* What arrives of acknowledgements. */

#include "acks.hpp"

#include <cstring>

#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/ChainingTransportDescriptor.h>
#include <fastdds/rtps/transport/TransportReceiverInterface.h>

namespace firstcontact {

namespace transport = eprosima::fastdds::rtps;
namespace rtps = eprosima::fastrtps::rtps;

/* More pairs than a robot has. Peers that invent readers displace what was
   heard of others, whose next acknowledgement then counts. */
static const size_t MAX_PAIRS = 16384;

void Acks::heard (const Guid &writer, const Guid &reader)
{
  std::lock_guard<std::mutex> lock (mutex);
  if (pairs.size () >= MAX_PAIRS)
    pairs.clear ();
  pairs.insert ({ writer, reader });
}

bool Acks::has (const Guid &writer, const Guid &reader)
{
  std::lock_guard<std::mutex> lock (mutex);
  return pairs.count ({ writer, reader }) > 0;
}

void Acks::forget (const Guid &writer, const Guid &reader)
{
  std::lock_guard<std::mutex> lock (mutex);
  pairs.erase ({ writer, reader });
}

/* The parts of an RTPS message (RTPS 2.3, 8.3 and 9.4): a header that ends with
   the sender's prefix, then submessages: kind, flags, length, content. */
enum { HEADER = 20, PREFIX = 12, SUBHEADER = 4, ENTITY = 4 };
enum { PAD = 0x01, ACKNACK = 0x06, INFO_TIME = 0x09, INFO_SOURCE = 0x0c, INFO_DESTINATION = 0x0e };
enum { LITTLE_ENDIAN_FLAG = 1, BUILTIN_ENTITY = 0xc0 };

static Guid guid (const unsigned char *prefix, const unsigned char *entity)
{
  Guid g;
  memcpy (g.guidPrefix.value, prefix, PREFIX);
  memcpy (g.entityId.value, entity, ENTITY);
  return g;
}

void read_acks (const unsigned char *message, size_t size, Acks &acks)
{
  if (size < HEADER || memcmp (message, "RTPS", 4) != 0)
    return;
  const unsigned char nobody[PREFIX] = { 0 };
  const unsigned char *from = message + HEADER - PREFIX, *to = nobody;
  for (size_t at = HEADER; at + SUBHEADER <= size;) {
    const unsigned char *sub = message + at, *content = sub + SUBHEADER;
    size_t length = sub[1] & LITTLE_ENDIAN_FLAG ? sub[2] | sub[3] << 8 : sub[3] | sub[2] << 8;
    at += SUBHEADER;
    if (length == 0 && sub[0] != PAD && sub[0] != INFO_TIME)
      length = size - at; /* the last one */
    if (length > size - at)
      return;
    if (sub[0] == INFO_DESTINATION && length >= PREFIX)
      to = content;
    else if (sub[0] == INFO_SOURCE && length >= 8 + PREFIX) /* after a word, version and vendor */
      from = content + 8;
    else if (sub[0] == ACKNACK && length >= 2 * ENTITY && !(content[2 * ENTITY - 1] & BUILTIN_ENTITY))
      acks.heard (guid (to, content + ENTITY), guid (from, content));
    at += length;
  }
}

namespace {

struct Descriptor : public transport::ChainingTransportDescriptor {
  std::shared_ptr<Acks> acks;

  Descriptor (std::shared_ptr<transport::TransportDescriptorInterface> below, std::shared_ptr<Acks> to)
      : transport::ChainingTransportDescriptor (below), acks (to) {}
  transport::TransportInterface *create_transport () const override;
};

class Listening : public transport::ChainingTransport {
public:
  explicit Listening (const Descriptor &d) : transport::ChainingTransport (d), descriptor (d) {}

  transport::TransportDescriptorInterface *get_configuration () override { return &descriptor; }

  bool send (rtps::SenderResource *below, const rtps::octet *message, uint32_t size, rtps::LocatorsIterator *begin, rtps::LocatorsIterator *end,
             const std::chrono::steady_clock::time_point &timeout) override
  {
    return below->send (message, size, begin, end, timeout);
  }

  void receive (transport::TransportReceiverInterface *next, const rtps::octet *message, uint32_t size, const rtps::Locator_t &local,
                const rtps::Locator_t &remote) override
  {
    try {
      read_acks (message, size, *descriptor.acks);
    } catch (...) { /* no memory: the next acknowledgement will do */
    }
    next->OnDataReceived (message, size, local, remote);
  }

private:
  Descriptor descriptor;
};

transport::TransportInterface *Descriptor::create_transport () const { return new Listening (*this); }

} // namespace

std::shared_ptr<transport::TransportDescriptorInterface>
listening (std::shared_ptr<transport::TransportDescriptorInterface> below, std::shared_ptr<Acks> acks)
{
  return std::make_shared<Descriptor> (below, acks);
}

} // namespace firstcontact
