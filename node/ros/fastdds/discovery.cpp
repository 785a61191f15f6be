//go:build fastdds

/* What is known of the domain. */

#include <cstdlib>
#include <cstring>

#include <fastdds/rtps/participant/ParticipantDiscoveryInfo.h>
#include <fastdds/rtps/reader/ReaderDiscoveryInfo.h>
#include <fastdds/rtps/writer/WriterDiscoveryInfo.h>

#include "entities.hpp"

namespace firstcontact {

void put_guid (const Guid &guid, unsigned char to[FD_GUID])
{
  memcpy (to, guid.guidPrefix.value, 12);
  memcpy (to + 12, guid.entityId.value, 4);
}

Guid get_guid (const unsigned char from[FD_GUID])
{
  Guid guid;
  memcpy (guid.guidPrefix.value, from, 12);
  memcpy (guid.entityId.value, from + 12, 4);
  return guid;
}

static Guid participant_of (const Guid &guid) { return Guid (guid.guidPrefix, rtps::c_EntityId_RTPSParticipant); }

static int64_t nanoseconds (const eprosima::fastrtps::Duration_t &d)
{
  return d == eprosima::fastrtps::c_TimeInfinite ? 0 : d.to_ns ();
}

template <typename Data> static std::string text (const Data &octets)
{
  return std::string (octets.begin (), octets.end ());
}

template <typename Proxy> static Found endpoint (const Proxy &proxy)
{
  Found f;
  f.participant = participant_of (proxy.guid ());
  f.topic = proxy.topicName ().to_string ();
  f.type = proxy.typeName ().to_string ();
  f.user_data = text (proxy.m_qos.m_userData);
  f.reliable = proxy.m_qos.m_reliability.kind == eprosima::fastrtps::RELIABLE_RELIABILITY_QOS;
  f.transient_local = proxy.m_qos.m_durability.kind != eprosima::fastrtps::VOLATILE_DURABILITY_QOS;
  f.lifespan = nanoseconds (proxy.m_qos.m_lifespan.duration);
  f.deadline = nanoseconds (proxy.m_qos.m_deadline.period);
  f.lease = nanoseconds (proxy.m_qos.m_liveliness.lease_duration);
  f.liveliness = static_cast<uint32_t> (proxy.m_qos.m_liveliness.kind);
  return f;
}

void Discovery::on_participant_discovery (fast::DomainParticipant *, rtps::ParticipantDiscoveryInfo &&info)
{
  if (info.status == rtps::ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT || info.status == rtps::ParticipantDiscoveryInfo::CHANGED_QOS_PARTICIPANT) {
    Found f;
    f.participant = info.info.m_guid;
    f.user_data = text (info.info.m_userData);
    note (FD_PARTICIPANTS, info.info.m_guid, std::move (f));
    return;
  }
  forget (FD_PARTICIPANTS, info.info.m_guid);
}

void Discovery::on_subscriber_discovery (fast::DomainParticipant *, rtps::ReaderDiscoveryInfo &&info)
{
  if (info.status == rtps::ReaderDiscoveryInfo::REMOVED_READER)
    forget (FD_READERS, info.info.guid ());
  else
    note (FD_READERS, info.info.guid (), endpoint (info.info));
}

void Discovery::on_publisher_discovery (fast::DomainParticipant *, rtps::WriterDiscoveryInfo &&info)
{
  if (info.status == rtps::WriterDiscoveryInfo::REMOVED_WRITER)
    forget (FD_WRITERS, info.info.guid ());
  else
    note (FD_WRITERS, info.info.guid (), endpoint (info.info));
}

void Discovery::on_participant_discovery (fast::DomainParticipant *p, rtps::ParticipantDiscoveryInfo &&info, bool &ignore)
{
  ignore = false;
  on_participant_discovery (p, std::move (info));
}

void Discovery::on_data_reader_discovery (fast::DomainParticipant *p, rtps::ReaderDiscoveryInfo &&info, bool &ignore)
{
  ignore = false;
  on_subscriber_discovery (p, std::move (info));
}

void Discovery::on_data_writer_discovery (fast::DomainParticipant *p, rtps::WriterDiscoveryInfo &&info, bool &ignore)
{
  ignore = false;
  on_publisher_discovery (p, std::move (info));
}

void Discovery::note (fd_kind kind, const Guid &guid, Found &&found)
{
  std::lock_guard<std::mutex> lock (mutex);
  known[kind][guid] = std::move (found);
}

void Discovery::forget (fd_kind kind, const Guid &guid)
{
  std::lock_guard<std::mutex> lock (mutex);
  known[kind].erase (guid);
  if (kind != FD_PARTICIPANTS)
    return;
  for (Known *endpoints : { &known[FD_WRITERS], &known[FD_READERS] })
    for (auto e = endpoints->begin (); e != endpoints->end ();)
      e = e->first.guidPrefix == guid.guidPrefix ? endpoints->erase (e) : std::next (e);
}

Found Discovery::about (const Guid &guid)
{
  std::lock_guard<std::mutex> lock (mutex);
  for (const Known *endpoints : { &known[FD_WRITERS], &known[FD_READERS] }) {
    const auto e = endpoints->find (guid);
    if (e != endpoints->end ())
      return e->second;
  }
  return Found ();
}

Discovery::Known Discovery::of (fd_kind kind)
{
  std::lock_guard<std::mutex> lock (mutex);
  return known[kind];
}

static char *copy (const std::string &s)
{
  char *c = static_cast<char *> (malloc (s.size () + 1));
  if (c != nullptr)
    memcpy (c, s.c_str (), s.size () + 1);
  return c;
}

static void copy (const Guid &guid, const Found &from, fd_found *to)
{
  put_guid (guid, to->guid);
  put_guid (from.participant, to->participant);
  to->topic = copy (from.topic);
  to->type = copy (from.type);
  to->user_data = copy (from.user_data);
  to->user_data_size = to->user_data == nullptr ? 0 : from.user_data.size ();
  to->reliable = from.reliable;
  to->transient_local = from.transient_local;
  to->lifespan = from.lifespan;
  to->deadline = from.deadline;
  to->lease = from.lease;
  to->liveliness = from.liveliness;
}

static fd_found *room (size_t count)
{
  return static_cast<fd_found *> (calloc (count + 1, sizeof (fd_found)));
}

static bool on (const Found &f, const char **topics)
{
  for (; *topics != nullptr; topics++)
    if (f.topic == *topics)
      return true;
  return false;
}

} // namespace firstcontact

using namespace firstcontact;

fd_found *fd_discovered (fd_participant *p, enum fd_kind kind, const char **topics, size_t *count)
{
  const Discovery::Known known = p->discovery.of (kind);
  fd_found *found = room (known.size ());
  *count = 0;
  if (found == nullptr)
    return nullptr;
  for (const auto &k : known)
    if (topics == nullptr || on (k.second, topics))
      copy (k.first, k.second, &found[(*count)++]);
  return found;
}

fd_found *fd_matches (fd_endpoint *e, size_t *count, size_t *unfinished)
{
  std::lock_guard<std::mutex> lock (e->mutex);
  fd_found *found = room (e->matched.size ());
  *count = *unfinished = 0;
  if (found == nullptr)
    return nullptr;
  for (const auto &m : e->matched) {
    Found f = e->participant->discovery.about (m.first);
    const bool best_effort = f.participant != Guid::unknown () && !f.reliable;
    if (!best_effort && !e->confirms (m.first)) {
      (*unfinished)++;
      continue;
    }
    f.participant = participant_of (m.first);
    copy (m.first, f, &found[(*count)++]);
  }
  return found;
}

void fd_free_found (fd_found *found, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    free (found[i].topic);
    free (found[i].type);
    free (found[i].user_data);
  }
  free (found);
}
