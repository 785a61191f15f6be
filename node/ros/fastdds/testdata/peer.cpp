/* A node's peer as rmw_fastrtps makes them: on Fast DDS and Fast CDR alone, with
 * requests and replies that belong together by related sample identities. It
 * knows nothing of the code under test. It stays on the loopback interface.
 *
 *   peer DOMAIN publish TOPIC MILLISECONDS COUNT reliable|best_effort NAME...
 *     publishes joint states of these joints, all at 0, COUNT times (0: until
 *     it is ended)
 *   peer DOMAIN check SERVICE COUNT NAME TO...
 *     asks for the motion of a joint from 0 to each position within a second,
 *     COUNT times each, and prints "ID STATUS MESSAGE" of each answer
 *   peer DOMAIN get SERVICE NAME...
 *     asks for parameters of these names, and prints the type of each value
 *   peer DOMAIN follow ACTION NAME TO...
 *     sends goals one after another, which move a joint to each position in a
 *     fifth of a second, and prints "STATUS CODE FEEDBACKS STATES REASON" of
 *     each: its result, and how many feedbacks and lists of goals have told of it
 */
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

using namespace eprosima::fastdds::dds;
using eprosima::fastcdr::Cdr;
using eprosima::fastcdr::FastBuffer;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using eprosima::fastrtps::rtps::WriteParams;

/* Messages, field by field as their definitions list them. */

struct Time {
  int32_t sec = 0;
  uint32_t nanosec = 0;
  void put (Cdr &c) const { c << sec << nanosec; }
  void get (Cdr &c) { c >> sec >> nanosec; }
};

struct Header {
  Time stamp;
  std::string frame_id;
  void put (Cdr &c) const { stamp.put (c); c << frame_id; }
  void get (Cdr &c) { stamp.get (c); c >> frame_id; }
};

struct JointState {
  static constexpr const char *name () { return "sensor_msgs::msg::dds_::JointState_"; }
  Header header;
  std::vector<std::string> joints;
  std::vector<double> position, velocity, effort;
  void put (Cdr &c) const { header.put (c); c << joints << position << velocity << effort; }
  void get (Cdr &c) { header.get (c); c >> joints >> position >> velocity >> effort; }
};

struct Point {
  std::vector<double> positions, velocities, accelerations, effort;
  Time from_start;
  void put (Cdr &c) const { c << positions << velocities << accelerations << effort; from_start.put (c); }
};

struct CheckRequest {
  static constexpr const char *name () { return "firstcontact_msgs::srv::dds_::CheckTrajectory_Request_"; }
  std::string id;
  Header header;
  std::vector<std::string> joints;
  std::vector<Point> points;
  void put (Cdr &c) const
  {
    const std::vector<std::string> no_names;
    const std::vector<double> no_numbers;
    c << id;
    header.put (c);
    c << joints << static_cast<uint32_t> (points.size ());
    for (const Point &p : points)
      p.put (c);
    c << no_names << no_numbers;                /* the start */
    c << std::string () << false << false;      /* group, skip_self, skip_world */
    c << 0.0 << false << 0.0 << 0.0;            /* clearance, min_clearance, tolerances */
    c << std::string () << no_names << no_numbers; /* interpolation, tube */
    Time ().put (c);                            /* deadline */
    c << 0.0 << 0.0 << static_cast<uint32_t> (0); /* distances, ranges */
  }
  void get (Cdr &) {}
};

struct CheckResponse {
  static constexpr const char *name () { return "firstcontact_msgs::srv::dds_::CheckTrajectory_Response_"; }
  Header header;
  std::string id, message;
  uint8_t status = 0;
  void put (Cdr &) const {}
  void get (Cdr &c) { header.get (c); c >> id >> status >> message; } /* and more */
};

struct GetRequest {
  static constexpr const char *name () { return "rcl_interfaces::srv::dds_::GetParameters_Request_"; }
  std::vector<std::string> names;
  void put (Cdr &c) const { c << names; }
  void get (Cdr &) {}
};

struct GetResponse {
  static constexpr const char *name () { return "rcl_interfaces::srv::dds_::GetParameters_Response_"; }
  std::vector<int> types;
  void put (Cdr &) const {}
  void get (Cdr &c)
  {
    uint32_t count = 0;
    c >> count;
    for (uint32_t i = 0; i < count; i++) {
      uint8_t type = 0;
      bool b = false;
      int64_t n = 0;
      double d = 0;
      std::string s;
      std::vector<uint8_t> bytes;
      std::vector<bool> bools;
      std::vector<int64_t> ints;
      std::vector<double> doubles;
      std::vector<std::string> strings;
      c >> type >> b >> n >> d >> s >> bytes >> bools >> ints >> doubles >> strings;
      types.push_back (type);
    }
  }
};

using Id = std::array<uint8_t, 16>;

struct SendGoalRequest {
  static constexpr const char *name () { return "control_msgs::action::dds_::FollowJointTrajectory_SendGoal_Request_"; }
  Id id;
  Header header;
  std::vector<std::string> joints;
  std::vector<Point> points;
  void put (Cdr &c) const
  {
    c << id;
    header.put (c);
    c << joints << static_cast<uint32_t> (points.size ());
    for (const Point &p : points)
      p.put (c);
    Header ().put (c); /* multi_dof_trajectory */
    c << std::vector<std::string> () << static_cast<uint32_t> (0);
    for (int tolerances = 0; tolerances < 4; tolerances++)
      c << static_cast<uint32_t> (0);
    Time ().put (c); /* goal_time_tolerance */
  }
  void get (Cdr &) {}
};

struct SendGoalResponse {
  static constexpr const char *name () { return "control_msgs::action::dds_::FollowJointTrajectory_SendGoal_Response_"; }
  bool accepted = false;
  void put (Cdr &) const {}
  void get (Cdr &c) { c >> accepted; } /* and a stamp */
};

struct GetResultRequest {
  static constexpr const char *name () { return "control_msgs::action::dds_::FollowJointTrajectory_GetResult_Request_"; }
  Id id;
  void put (Cdr &c) const { c << id; }
  void get (Cdr &) {}
};

struct GetResultResponse {
  static constexpr const char *name () { return "control_msgs::action::dds_::FollowJointTrajectory_GetResult_Response_"; }
  int8_t status = 0;
  int32_t code = 0;
  std::string reason;
  void put (Cdr &) const {}
  void get (Cdr &c)
  {
    char s = 0;
    c >> s >> code >> reason;
    status = static_cast<int8_t> (s);
  }
};

/* The heads of an action's feedback and of its list of goals. */
struct Feedback {
  static constexpr const char *name () { return "control_msgs::action::dds_::FollowJointTrajectory_FeedbackMessage_"; }
  Id id;
  void put (Cdr &) const {}
  void get (Cdr &c) { c >> id; }
};

struct Goals {
  static constexpr const char *name () { return "action_msgs::msg::dds_::GoalStatusArray_"; }
  std::vector<Id> ids;
  void put (Cdr &) const {}
  void get (Cdr &c)
  {
    uint32_t count = 0;
    c >> count;
    for (uint32_t i = 0; i < count; i++) {
      Id id;
      Time accepted;
      char status = 0;
      c >> id;
      accepted.get (c);
      c >> status;
      ids.push_back (id);
    }
  }
};

/* Support of such a type, as a generator would make it. */
template <typename T> class Type : public TopicDataType {
public:
  Type ()
  {
    setName (T::name ());
    m_typeSize = 1 << 16;
    m_isGetKeyDefined = false;
  }
  bool serialize (void *data, SerializedPayload_t *payload) override
  {
    FastBuffer buffer (reinterpret_cast<char *> (payload->data), payload->max_size);
    Cdr cdr (buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    payload->encapsulation = cdr.endianness () == Cdr::BIG_ENDIANNESS ? CDR_BE : CDR_LE;
    cdr.serialize_encapsulation ();
    static_cast<T *> (data)->put (cdr);
    payload->length = static_cast<uint32_t> (cdr.getSerializedDataLength ());
    return true;
  }
  bool deserialize (SerializedPayload_t *payload, void *data) override
  {
    FastBuffer buffer (reinterpret_cast<char *> (payload->data), payload->length);
    Cdr cdr (buffer, Cdr::DEFAULT_ENDIAN, Cdr::DDS_CDR);
    cdr.read_encapsulation ();
    *static_cast<T *> (data) = T ();
    static_cast<T *> (data)->get (cdr);
    return true;
  }
  std::function<uint32_t ()> getSerializedSizeProvider (void *) override
  {
    return [] { return 1u << 16; };
  }
  void *createData () override { return new T; }
  void deleteData (void *data) override { delete static_cast<T *> (data); }
  bool getKey (void *, InstanceHandle_t *, bool) override { return false; }
};

[[noreturn]] static void fail (const std::string &what)
{
  fprintf (stderr, "peer: %s\n", what.c_str ());
  exit (1);
}

static DomainParticipant *participant (int domain)
{
  DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor> ();
  udp->interfaceWhiteList.push_back ("127.0.0.1");
  qos.transport ().use_builtin_transports = false;
  qos.transport ().user_transports.push_back (udp);
  const std::string enclave ("enclave=/;", 11); /* with its zero byte, as rmw_fastrtps writes it */
  qos.user_data ().data_vec ({ enclave.begin (), enclave.end () });
  DomainParticipant *p = DomainParticipantFactory::get_instance ()->create_participant (domain, qos);
  if (p == nullptr)
    fail ("no participant");
  return p;
}

template <typename T> static Topic *topic (DomainParticipant *p, const std::string &name)
{
  TypeSupport (new Type<T>).register_type (p);
  Topic *t = p->create_topic (name, T::name (), TOPIC_QOS_DEFAULT);
  if (t == nullptr)
    fail ("no topic " + name);
  return t;
}

template <typename Qos> static Qos with (Qos qos, bool reliable)
{
  qos.reliability ().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  qos.history ().kind = KEEP_LAST_HISTORY_QOS;
  qos.history ().depth = 10;
  qos.endpoint ().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.data_sharing ().off ();
  return qos;
}

static void sleep_ms (int ms) { std::this_thread::sleep_for (std::chrono::milliseconds (ms)); }

/* A client of a service, as rmw_fastrtps has it: a request carries the reader of
 * replies beside it, and a reply that reader and the request's number. */
template <typename Request, typename Response> class Client : public DataReaderListener {
public:
  Client (DomainParticipant *p, const std::string &service)
  {
    reader = p->create_subscriber (SUBSCRIBER_QOS_DEFAULT)->create_datareader (topic<Response> (p, "rr" + service + "Reply"), with (DATAREADER_QOS_DEFAULT, true), this);
    writer = p->create_publisher (PUBLISHER_QOS_DEFAULT)->create_datawriter (topic<Request> (p, "rq" + service + "Request"), with (DATAWRITER_QOS_DEFAULT, true));
    if (reader == nullptr || writer == nullptr)
      fail ("no client of " + service);
    for (int i = 0; i < 4000 && !ready (); i++)
      sleep_ms (5);
    if (!ready ())
      fail (service + " does not come");
  }

  Response call (Request &request)
  {
    WriteParams params;
    params.related_sample_identity ().writer_guid () = reader->guid ();
    if (!writer->write (&request, params))
      fail ("a request is not written");
    const uint64_t number = params.sample_identity ().sequence_number ().to64long ();
    std::unique_lock<std::mutex> lock (mutex);
    if (!arrived.wait_for (lock, std::chrono::seconds (20), [&] { return replies.count (number) > 0; }))
      fail ("no reply");
    Response response = replies[number];
    replies.erase (number);
    return response;
  }

  void on_data_available (DataReader *) override
  {
    Response response;
    SampleInfo info;
    while (reader->take_next_sample (&response, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data || info.related_sample_identity.writer_guid () != reader->guid ())
        continue;
      std::lock_guard<std::mutex> lock (mutex);
      replies[info.related_sample_identity.sequence_number ().to64long ()] = response;
      arrived.notify_all ();
    }
  }

private:
  DataReader *reader;
  DataWriter *writer;
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<uint64_t, Response> replies;

  bool ready ()
  {
    SubscriptionMatchedStatus from;
    PublicationMatchedStatus to;
    reader->get_subscription_matched_status (from);
    writer->get_publication_matched_status (to);
    return from.current_count > 0 && to.current_count > 0;
  }
};

static void publish (DomainParticipant *p, const std::string &name, int period, int count, bool reliable, const std::vector<std::string> &joints)
{
  DataWriter *w = p->create_publisher (PUBLISHER_QOS_DEFAULT)->create_datawriter (topic<JointState> (p, "rt" + name), with (DATAWRITER_QOS_DEFAULT, reliable));
  if (w == nullptr)
    fail ("no writer of " + name);
  JointState m;
  m.joints = joints;
  m.position.assign (joints.size (), 0);
  for (int i = 0; count == 0 || i < count; i++) {
    const auto now = std::chrono::system_clock::now ().time_since_epoch ();
    const int64_t ns = std::chrono::duration_cast<std::chrono::nanoseconds> (now).count ();
    m.header.stamp.sec = static_cast<int32_t> (ns / 1000000000);
    m.header.stamp.nanosec = static_cast<uint32_t> (ns % 1000000000);
    w->write (&m);
    sleep_ms (period);
  }
}

static void check (DomainParticipant *p, const std::string &service, int count, const std::string &joint, const std::vector<std::string> &to)
{
  Client<CheckRequest, CheckResponse> client (p, service);
  for (const std::string &position : to)
    for (int i = 0; i < count; i++) {
      CheckRequest request;
      request.id = position + "/" + std::to_string (i);
      request.joints = { joint };
      request.points.resize (2);
      request.points[0].positions = { 0 };
      request.points[1].positions = { atof (position.c_str ()) };
      request.points[1].from_start.sec = 1;
      const CheckResponse r = client.call (request);
      printf ("%s %d %s\n", r.id.c_str (), r.status, r.message.c_str ());
      fflush (stdout);
    }
}

static void get (DomainParticipant *p, const std::string &service, const std::vector<std::string> &names)
{
  Client<GetRequest, GetResponse> client (p, service);
  GetRequest request;
  request.names = names;
  for (int type : client.call (request).types)
    printf ("%d\n", type);
}

/* A subscriber that counts what its test says of. */
template <typename T> class Counter : public DataReaderListener {
public:
  Counter (DomainParticipant *p, const std::string &name, bool transient_local, std::function<bool (const T &)> of) : counts (of)
  {
    DataReaderQos qos = with (DATAREADER_QOS_DEFAULT, true);
    if (transient_local)
      qos.durability ().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
    if (p->create_subscriber (SUBSCRIBER_QOS_DEFAULT)->create_datareader (topic<T> (p, "rt" + name), qos, this) == nullptr)
      fail ("no reader of " + name);
  }

  void on_data_available (DataReader *reader) override
  {
    T message;
    SampleInfo info;
    while (reader->take_next_sample (&message, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data && counts (message))
        count++;
  }

  std::atomic<int> count{ 0 };

private:
  std::function<bool (const T &)> counts;
};

static Id random_id ()
{
  std::random_device random;
  Id id;
  for (uint8_t &b : id)
    b = static_cast<uint8_t> (random ());
  return id;
}

static void follow (DomainParticipant *p, const std::string &action, const std::string &joint, const std::vector<std::string> &to)
{
  Client<SendGoalRequest, SendGoalResponse> send (p, action + "/_action/send_goal");
  Client<GetResultRequest, GetResultResponse> result (p, action + "/_action/get_result");
  std::mutex mutex;
  Id sent{};
  const auto is_sent = [&] (const Id &id) {
    std::lock_guard<std::mutex> lock (mutex);
    return id == sent;
  };
  Counter<Feedback> feedback (p, action + "/_action/feedback", false, [&] (const Feedback &f) { return is_sent (f.id); });
  Counter<Goals> states (p, action + "/_action/status", true, [&] (const Goals &g) { return std::any_of (g.ids.begin (), g.ids.end (), is_sent); });
  for (const std::string &position : to) {
    SendGoalRequest goal;
    goal.id = random_id ();
    goal.joints = { joint };
    goal.points.resize (1);
    goal.points[0].positions = { atof (position.c_str ()) };
    goal.points[0].from_start.nanosec = 200000000;
    {
      std::lock_guard<std::mutex> lock (mutex);
      sent = goal.id;
    }
    feedback.count = states.count = 0;
    if (!send.call (goal).accepted)
      fail ("a goal is not accepted");
    GetResultRequest request;
    request.id = goal.id;
    const GetResultResponse r = result.call (request);
    printf ("%d %d %d %d %s\n", r.status, r.code, feedback.count.load (), states.count.load (), r.reason.c_str ());
    fflush (stdout);
  }
}

int main (int argc, char **argv)
{
  const std::vector<std::string> args (argv, argv + argc);
  if (argc < 4)
    fail ("peer DOMAIN publish|check|get|follow NAME ...");
  DomainParticipant *p = participant (atoi (argv[1]));
  const auto rest = [&] (size_t from) { return std::vector<std::string> (args.begin () + from, args.end ()); };
  if (args[2] == "publish" && argc > 7)
    publish (p, args[3], atoi (argv[4]), atoi (argv[5]), args[6] == "reliable", rest (7));
  else if (args[2] == "check" && argc > 6)
    check (p, args[3], atoi (argv[4]), args[5], rest (6));
  else if (args[2] == "get" && argc > 4)
    get (p, args[3], rest (4));
  else if (args[2] == "follow" && argc > 5)
    follow (p, args[3], args[4], rest (5));
  else
    fail ("not enough arguments");
  fflush (stdout);
  _Exit (0); /* the participant's lease ends as that of a process that is killed */
}
