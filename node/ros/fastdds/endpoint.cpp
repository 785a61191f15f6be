//go:build fastdds

/* Readers and writers. */

#include <algorithm>
#include <cstdlib>

#include <fastdds/dds/publisher/qos/DataWriterQos.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/rtps/common/WriteParams.h>

#include "entities.hpp"
#include "guard.hpp"
#include "opaque.hpp"

namespace firstcontact {

using Duration = eprosima::fastrtps::Duration_t;

static Duration duration (int64_t ns)
{
  return Duration (static_cast<int32_t> (ns / 1000000000), static_cast<uint32_t> (ns % 1000000000));
}

/* A reliable writer tells at these intervals what it has sent, for readers to
   ask for what they miss: the default of 3 s would delay a lost last sample by
   as much. */
static const int64_t heartbeat = 50000000;

template <typename Qos> static void common (Qos &qos, const fd_endpoint_options &o)
{
  const std::string user_data (o.user_data, o.user_data_size);
  qos.user_data ().data_vec ({ user_data.begin (), user_data.end () });
  qos.reliability ().kind = o.reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
  qos.reliability ().max_blocking_time = duration (o.max_blocking);
  qos.durability ().kind = o.transient_local ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  if (o.depth < 0)
    qos.history ().kind = fast::KEEP_ALL_HISTORY_QOS;
  else {
    qos.history ().kind = fast::KEEP_LAST_HISTORY_QOS;
    qos.history ().depth = o.depth;
  }
  auto &limits = qos.resource_limits ();
  limits.max_instances = 1;
  limits.max_samples = std::max (o.depth, 5000);
  limits.max_samples_per_instance = limits.max_samples;
  limits.allocated_samples = 0;
  if (o.deadline > 0)
    qos.deadline ().period = duration (o.deadline);
  if (o.lifespan > 0)
    qos.lifespan ().duration = duration (o.lifespan);
  qos.liveliness ().kind = fast::AUTOMATIC_LIVELINESS_QOS;
  if (o.lease > 0) {
    qos.liveliness ().lease_duration = duration (o.lease);
    qos.liveliness ().announcement_period = duration (o.lease / 3);
  }
  qos.endpoint ().history_memory_policy = rtps::DYNAMIC_RESERVE_MEMORY_MODE;
  qos.data_sharing ().off ();
}

static fast::DataWriter *writer (fd_endpoint *e, const fd_endpoint_options &o)
{
  fast::DataWriterQos qos = e->participant->publisher->get_default_datawriter_qos ();
  common (qos, o);
  qos.reliable_writer_qos ().times.heartbeatPeriod = duration (heartbeat);
  return e->participant->publisher->create_datawriter (e->participant->topic (o.topic, o.type), qos, e);
}

static fast::DataReader *reader (fd_endpoint *e, const fd_endpoint_options &o)
{
  fast::DataReaderQos qos = e->participant->subscriber->get_default_datareader_qos ();
  common (qos, o);
  return e->participant->subscriber->create_datareader (e->participant->topic (o.topic, o.type), qos, e);
}

static void identify (const rtps::SampleIdentity &from, fd_identity &to)
{
  to = fd_identity ();
  if (from.writer_guid () == Guid::unknown ())
    return;
  put_guid (from.writer_guid (), to.guid);
  if (from.sequence_number () != rtps::SequenceNumber_t::unknown ())
    to.sequence = from.sequence_number ().to64long ();
}

/* The policies in which endpoints of this package can differ from their
   peers. */
static const char *policy_name (fast::QosPolicyId_t id)
{
  switch (id) {
  case fast::RELIABILITY_QOS_POLICY_ID: return "reliability";
  case fast::DURABILITY_QOS_POLICY_ID: return "durability";
  case fast::DEADLINE_QOS_POLICY_ID: return "deadline";
  case fast::LIVELINESS_QOS_POLICY_ID: return "liveliness";
  case fast::OWNERSHIP_QOS_POLICY_ID: return "ownership";
  case fast::DATAREPRESENTATION_QOS_POLICY_ID: return "data representation";
  default: return "another policy";
  }
}

static fd_endpoint *make (fd_participant *p, const fd_endpoint_options *o, int64_t tag, bool is_writer, char **error)
{
  fd_endpoint *e = new fd_endpoint;
  e->participant = p;
  e->tag = tag;
  e->topic = o->topic;
  e->reliable = o->reliable;
  e->lease = o->lease > 0;
  if (guarded (error, [&] {
        if (is_writer)
          e->writer = writer (e, *o);
        else
          e->reader = reader (e, *o);
        if (e->writer == nullptr && e->reader == nullptr) {
          p->release (e->topic);
          throw std::runtime_error ("the library refuses it: its quality of service may contradict itself");
        }
      }))
    return e;
  delete e;
  return nullptr;
}

} // namespace firstcontact

using namespace firstcontact;

void fd_endpoint::match (int change, const Guid &peer, uint32_t what)
{
  {
    std::lock_guard<std::mutex> lock (mutex);
    if (change > 0)
      matched[peer] = Clock::now ();
    else {
      matched.erase (peer);
      confirmed.erase (peer);
    }
  }
  participant->events.add (tag, what);
}

void fd_endpoint::on_data_available (fast::DataReader *) { participant->events.add (tag, FD_DATA); }

void fd_endpoint::on_subscription_matched (fast::DataReader *, const fast::SubscriptionMatchedStatus &s)
{
  match (s.current_count_change, rtps::iHandle2GUID (s.last_publication_handle), FD_MATCHES | FD_SILENCE);
}

void fd_endpoint::on_publication_matched (fast::DataWriter *w, const fast::PublicationMatchedStatus &s)
{
  const Guid reader = rtps::iHandle2GUID (s.last_subscription_handle);
  if (s.current_count_change < 0 && participant->acks)
    participant->acks->forget (w->guid (), reader); /* if it comes back it has to match again */
  match (s.current_count_change, reader, FD_MATCHES);
}

/* How long a reader may take until it acknowledges. One that does not, against
   the protocol, counts nonetheless. */
static const std::chrono::seconds patience (5);

bool fd_endpoint::confirms (const Guid &peer)
{
  if (writer == nullptr || !reliable || !participant->acks || confirmed.count (peer) > 0)
    return true;
  if (!participant->acks->has (writer->guid (), peer) && Clock::now () - matched[peer] < patience)
    return false;
  confirmed.insert (peer);
  return true;
}

void fd_endpoint::on_requested_deadline_missed (fast::DataReader *, const eprosima::fastrtps::RequestedDeadlineMissedStatus &)
{
  participant->events.add (tag, FD_SILENCE);
}

void fd_endpoint::on_liveliness_changed (fast::DataReader *, const eprosima::fastrtps::LivelinessChangedStatus &)
{
  participant->events.add (tag, FD_SILENCE);
}

fd_endpoint *fd_writer (fd_participant *p, const fd_endpoint_options *o, int64_t tag, char **error) { return make (p, o, tag, true, error); }

fd_endpoint *fd_reader (fd_participant *p, const fd_endpoint_options *o, int64_t tag, char **error) { return make (p, o, tag, false, error); }

void fd_endpoint_guid (const fd_endpoint *e, unsigned char guid[FD_GUID]) { put_guid (e->guid (), guid); }

int fd_delete (fd_endpoint *e, char **error)
{
  const bool deleted = guarded (error, [&] {
    const ReturnCode_t rc = e->writer != nullptr ? e->participant->publisher->delete_datawriter (e->writer) : e->participant->subscriber->delete_datareader (e->reader);
    if (rc != ReturnCode_t::RETCODE_OK)
      throw std::runtime_error ("the library refuses to delete it");
    e->participant->release (e->topic);
  });
  if (!deleted)
    return -1;
  e->participant->events.drop (e->tag);
  delete e;
  return 0;
}

int64_t fd_write (fd_endpoint *e, const void *message, uint32_t size, const fd_identity *related)
{
  Message m;
  m.data = static_cast<unsigned char *> (const_cast<void *> (message));
  m.size = size;
  rtps::WriteParams params;
  if (related != nullptr) {
    params.related_sample_identity ().writer_guid (get_guid (related->guid));
    if (related->sequence != 0)
      params.related_sample_identity ().sequence_number (rtps::SequenceNumber_t (static_cast<int32_t> (related->sequence >> 32), static_cast<uint32_t> (related->sequence)));
  }
  char *error = nullptr;
  bool written = false;
  guarded (&error, [&] { written = e->writer->write (&m, params); });
  free (error);
  return written ? static_cast<int64_t> (params.sample_identity ().sequence_number ().to64long ()) : -1;
}

int fd_take (fd_endpoint *e, uint32_t max, uint32_t head, fd_sample *sample)
{
  Message m;
  m.max = max;
  m.head = head;
  fast::SampleInfo info;
  char *error = nullptr;
  bool taken = false;
  guarded (&error, [&] { taken = e->reader->take_next_sample (&m, &info) == ReturnCode_t::RETCODE_OK; });
  free (error);
  if (!taken) {
    free (m.data);
    return 0;
  }
  sample->data = m.data;
  sample->size = m.size;
  sample->whole = m.whole;
  sample->valid = info.valid_data && m.data != nullptr;
  identify (info.sample_identity, sample->identity);
  identify (info.related_sample_identity, sample->related);
  sample->source_time = info.source_timestamp.to_ns ();
  return 1;
}

static void read_counters (fast::DataReader *reader, bool lease, size_t matched, fd_counters *c)
{
  fast::SampleLostStatus lost;
  fast::RequestedIncompatibleQosStatus incompatible;
  eprosima::fastrtps::RequestedDeadlineMissedStatus missed;
  eprosima::fastrtps::LivelinessChangedStatus liveliness;
  if (reader->get_sample_lost_status (lost) == ReturnCode_t::RETCODE_OK)
    c->lost = lost.total_count;
  if (reader->get_requested_incompatible_qos_status (incompatible) == ReturnCode_t::RETCODE_OK) {
    c->incompatible = incompatible.total_count;
    c->incompatible_policy = policy_name (incompatible.last_policy_id);
  }
  if (reader->get_requested_deadline_missed_status (missed) == ReturnCode_t::RETCODE_OK)
    c->deadline_missed = missed.total_count;
  /* Without a lease the library counts nobody. */
  c->alive = static_cast<uint32_t> (matched);
  if (lease && reader->get_liveliness_changed_status (liveliness) == ReturnCode_t::RETCODE_OK) {
    c->alive = liveliness.alive_count;
    c->not_alive = liveliness.not_alive_count;
  }
}

static void read_counters (fast::DataWriter *writer, fd_counters *c)
{
  fast::OfferedIncompatibleQosStatus incompatible;
  eprosima::fastrtps::OfferedDeadlineMissedStatus missed;
  if (writer->get_offered_incompatible_qos_status (incompatible) == ReturnCode_t::RETCODE_OK) {
    c->incompatible = incompatible.total_count;
    c->incompatible_policy = policy_name (incompatible.last_policy_id);
  }
  if (writer->get_offered_deadline_missed_status (missed) == ReturnCode_t::RETCODE_OK)
    c->deadline_missed = missed.total_count;
}

void fd_read_counters (fd_endpoint *e, fd_counters *c)
{
  *c = fd_counters ();
  size_t matched;
  {
    std::lock_guard<std::mutex> lock (e->mutex);
    matched = e->matched.size ();
  }
  char *error = nullptr;
  guarded (&error, [&] {
    if (e->writer != nullptr)
      read_counters (e->writer, c);
    else
      read_counters (e->reader, e->lease, matched, c);
  });
  free (error);
}
