//go:build fastdds

/* Participants: their network, and the events of their endpoints. */

#include <cstdlib>
#include <cstring>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/attributes/LibrarySettingsAttributes.h>
#include <fastrtps/config.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>

#include "entities.hpp"
#include "guard.hpp"
#include "log.hpp"
#include "opaque.hpp"

namespace firstcontact {

void Events::add (int64_t tag, uint32_t what)
{
  std::lock_guard<std::mutex> lock (mutex);
  waiting[tag] |= what;
  changed.notify_one ();
}

void Events::drop (int64_t tag)
{
  std::lock_guard<std::mutex> lock (mutex);
  waiting.erase (tag);
}

void Events::stop ()
{
  std::lock_guard<std::mutex> lock (mutex);
  stopped = true;
  changed.notify_one ();
}

int Events::wait (fd_event events[FD_EVENTS])
{
  std::unique_lock<std::mutex> lock (mutex);
  changed.wait (lock, [this] { return stopped || !waiting.empty (); });
  int n = 0;
  while (!stopped && n < FD_EVENTS && !waiting.empty ()) {
    events[n++] = { waiting.begin ()->first, waiting.begin ()->second };
    waiting.erase (waiting.begin ());
  }
  return n;
}

static void add_peers (rtps::BuiltinAttributes &builtin, const char **peers)
{
  for (; *peers != nullptr; peers++) {
    rtps::Locator_t locator;
    const auto found = rtps::IPLocator::resolveNameDNS (*peers);
    const std::string address = found.first.empty () ? *peers : *found.first.begin ();
    if (!rtps::IPLocator::setIPv4 (locator, address))
      throw std::runtime_error (std::string ("the address ") + *peers + " of ROS_STATIC_PEERS cannot be resolved to IPv4");
    builtin.initialPeersList.push_back (locator);
  }
}

static void configure (fast::DomainParticipantQos &qos, const fd_network &network, fd_participant *p)
{
  auto &builtin = qos.wire_protocol ().builtin;
  /* Announcements of discovery may be larger than what is reserved for them. */
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  if (network.own_transport) {
    auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor> ();
    udp->maxInitialPeersRange = network.peer_range;
    if (network.loopback_only)
      udp->interfaceWhiteList.push_back ("127.0.0.1");
    qos.transport ().use_builtin_transports = false;
    p->acks = std::make_shared<Acks> ();
    qos.transport ().user_transports.push_back (listening (udp, p->acks));
  }
  if (network.off)
    builtin.discovery_config.discoveryProtocol = rtps::DiscoveryProtocol_t::NONE;
  if (network.unicast) {
    builtin.metatrafficMulticastLocatorList.clear ();
    builtin.metatrafficUnicastLocatorList.push_back (rtps::Locator_t ()); /* instead of the default, which has multicast */
  }
  add_peers (builtin, network.peers);
}

static void open (fd_participant *p, uint32_t domain, const std::string &user_data, const fd_network &network)
{
  auto *factory = fast::DomainParticipantFactory::get_instance ();
  factory->load_profiles ();
  fast::DomainParticipantQos qos = factory->get_default_participant_qos ();
  qos.user_data ().data_vec ({ user_data.begin (), user_data.end () });
  configure (qos, network, p);
  p->entity = factory->create_participant (domain, qos, &p->discovery, fast::StatusMask::none ());
  if (p->entity == nullptr)
    throw std::runtime_error ("the participant cannot be made");
  Found self;
  self.participant = p->entity->guid ();
  self.user_data = user_data;
  p->discovery.note (FD_PARTICIPANTS, p->entity->guid (), std::move (self));
  p->publisher = p->entity->create_publisher (fast::PUBLISHER_QOS_DEFAULT);
  p->subscriber = p->entity->create_subscriber (fast::SUBSCRIBER_QOS_DEFAULT);
  if (p->publisher == nullptr || p->subscriber == nullptr)
    throw std::runtime_error ("publisher and subscriber cannot be made");
}

static void close (fd_participant *p)
{
  if (p->entity == nullptr)
    return;
  p->entity->set_listener (nullptr);
  if (p->publisher != nullptr)
    p->entity->delete_publisher (p->publisher);
  if (p->subscriber != nullptr)
    p->entity->delete_subscriber (p->subscriber);
  for (auto &t : p->topics)
    p->entity->delete_topic (t.second.entity);
  if (fast::DomainParticipantFactory::get_instance ()->delete_participant (p->entity) != ReturnCode_t::RETCODE_OK)
    throw std::runtime_error ("the participant is in use and stays");
  p->entity = nullptr;
}

} // namespace firstcontact

using namespace firstcontact;

fast::Topic *fd_participant::topic (const std::string &name, const std::string &type)
{
  std::lock_guard<std::mutex> lock (mutex);
  const auto there = topics.find (name);
  if (there != topics.end ()) {
    if (there->second.type != type)
      throw std::runtime_error ("this participant has the topic with the type " + there->second.type + ", and a topic has one type");
    there->second.users++;
    return there->second.entity;
  }
  if (entity->find_type (type).empty () && entity->register_type (fast::TypeSupport (new Opaque (type.c_str ()))) != ReturnCode_t::RETCODE_OK)
    throw std::runtime_error ("the type cannot be registered");
  fast::Topic *made = entity->create_topic (name, type, fast::TOPIC_QOS_DEFAULT);
  if (made == nullptr)
    throw std::runtime_error ("the topic cannot be made");
  topics[name] = { made, type, 1 };
  return made;
}

void fd_participant::release (const std::string &name)
{
  std::lock_guard<std::mutex> lock (mutex);
  const auto there = topics.find (name);
  if (there == topics.end () || --there->second.users > 0)
    return;
  entity->delete_topic (there->second.entity);
  topics.erase (there);
}

const char *fd_version (void) { return FASTRTPS_VERSION_STR; }

void fd_setup (void)
{
  log_to_go ();
  /* Samples between participants of one process take the way of all others. */
  eprosima::fastrtps::LibrarySettingsAttributes settings;
  settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings (settings);
}

fd_participant *fd_open (uint32_t domain, const char *user_data, size_t user_data_size, const fd_network *network, char **error)
{
  fd_participant *p = new fd_participant;
  if (guarded (error, [&] { open (p, domain, std::string (user_data, user_data_size), *network); }))
    return p;
  char *ignored = nullptr;
  if (guarded (&ignored, [&] { close (p); }))
    delete p; /* else it is leaked: the library may still call it */
  free (ignored);
  return nullptr;
}

void fd_participant_guid (const fd_participant *p, unsigned char guid[FD_GUID]) { put_guid (p->entity->guid (), guid); }

int fd_close (fd_participant *p, char **error)
{
  if (!guarded (error, [&] { close (p); }))
    return -1;
  delete p;
  return 0;
}

int fd_wait (fd_participant *p, fd_event events[FD_EVENTS]) { return p->events.wait (events); }

void fd_stop (fd_participant *p) { p->events.stop (); }
