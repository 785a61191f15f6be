#ifndef FIRSTCONTACT_FASTDDS_ENTITIES_HPP
#define FIRSTCONTACT_FASTDDS_ENTITIES_HPP

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>

#include "acks.hpp"
#include "bridge.h"

/* The entities behind the handles of bridge.h. The library's threads call the
   listeners: these note what happened and return. */

namespace firstcontact {

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

void put_guid (const Guid &guid, unsigned char to[FD_GUID]);
Guid get_guid (const unsigned char from[FD_GUID]);

/* A participant or endpoint that was discovered. */
struct Found {
  Guid participant;
  std::string topic, type, user_data;
  bool reliable = false, transient_local = false;
  int64_t lifespan = 0, deadline = 0, lease = 0;
  uint32_t liveliness = 0;
};

/* What discovery knows now, by kind. */
class Discovery : public fast::DomainParticipantListener {
public:
  using Known = std::map<Guid, Found>;

  /* The library calls the shorter or the longer form, by its version. */
  void on_participant_discovery (fast::DomainParticipant *, rtps::ParticipantDiscoveryInfo &&info);
  void on_participant_discovery (fast::DomainParticipant *p, rtps::ParticipantDiscoveryInfo &&info, bool &ignore);
  void on_subscriber_discovery (fast::DomainParticipant *, rtps::ReaderDiscoveryInfo &&info);
  void on_publisher_discovery (fast::DomainParticipant *, rtps::WriterDiscoveryInfo &&info);
  void on_data_reader_discovery (fast::DomainParticipant *p, rtps::ReaderDiscoveryInfo &&info, bool &ignore);
  void on_data_writer_discovery (fast::DomainParticipant *p, rtps::WriterDiscoveryInfo &&info, bool &ignore);

  void note (fd_kind kind, const Guid &guid, Found &&found);
  void forget (fd_kind kind, const Guid &guid);
  Found about (const Guid &endpoint);
  Known of (fd_kind kind);

private:
  std::mutex mutex;
  Known known[3];
};

/* The events that wait for fd_wait, by tag. */
class Events {
public:
  void add (int64_t tag, uint32_t what);
  void drop (int64_t tag);
  void stop ();
  int wait (fd_event events[FD_EVENTS]);

private:
  std::mutex mutex;
  std::condition_variable changed;
  std::map<int64_t, uint32_t> waiting;
  bool stopped = false;
};

} // namespace firstcontact

struct fd_participant {
  firstcontact::Discovery discovery;
  firstcontact::Events events;
  std::shared_ptr<firstcontact::Acks> acks; /* null where the user's profiles choose the transports */
  firstcontact::fast::DomainParticipant *entity = nullptr;
  firstcontact::fast::Publisher *publisher = nullptr;
  firstcontact::fast::Subscriber *subscriber = nullptr;

  /* Topics by name, with the number of their endpoints: the library has one
     per name. */
  struct Topic {
    firstcontact::fast::Topic *entity;
    std::string type;
    unsigned users;
  };
  std::mutex mutex;
  std::map<std::string, Topic> topics;

  firstcontact::fast::Topic *topic (const std::string &name, const std::string &type);
  void release (const std::string &name);
};

struct fd_endpoint : public firstcontact::fast::DataReaderListener, public firstcontact::fast::DataWriterListener {
  fd_participant *participant = nullptr;
  int64_t tag = 0;
  std::string topic;
  bool reliable = false;
  bool lease = false; /* a reader that requests one: the library tells who is alive */
  firstcontact::fast::DataWriter *writer = nullptr; /* one of the two is set */
  firstcontact::fast::DataReader *reader = nullptr;

  /* Matched peers, since when. */
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::map<firstcontact::Guid, Clock::time_point> matched;
  std::set<firstcontact::Guid> confirmed; /* of these, the readers that have matched this writer, too */

  firstcontact::Guid guid () const { return writer != nullptr ? writer->guid () : reader->guid (); }

  void on_data_available (firstcontact::fast::DataReader *) override;
  void on_subscription_matched (firstcontact::fast::DataReader *, const firstcontact::fast::SubscriptionMatchedStatus &) override;
  void on_publication_matched (firstcontact::fast::DataWriter *, const firstcontact::fast::PublicationMatchedStatus &) override;
  void on_requested_deadline_missed (firstcontact::fast::DataReader *, const eprosima::fastrtps::RequestedDeadlineMissedStatus &) override;
  void on_liveliness_changed (firstcontact::fast::DataReader *, const eprosima::fastrtps::LivelinessChangedStatus &) override;

  /* confirms reports whether a matched peer, reliable if it is a reader, may
     count. It is called with the mutex held. */
  bool confirms (const firstcontact::Guid &peer);

private:
  void match (int change, const firstcontact::Guid &peer, uint32_t what);
};

#endif
