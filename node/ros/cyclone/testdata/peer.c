/* A peer made from IDL, as any program on Cyclone DDS is: it knows the fields
 * of its messages and nothing of ROS.
 *
 *   peer DOMAIN TOPIC write COUNT   waits for a reader, writes, waits for acks
 *   peer DOMAIN TOPIC read COUNT    prints what it reads
 *   peer DOMAIN TOPIC watch COUNT   asks for a deadline of 50 ms and a lease of
 *     1 s, reads until COUNT deadlines are missed, then until nobody is alive,
 *     and prints both
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "joint_state.h"

typedef sensor_msgs_msg_dds__JointState_ JointState;

static dds_entity_t check (const char *what, dds_entity_t e)
{
  if (e < 0) {
    fprintf (stderr, "%s: %s\n", what, dds_strretcode (e));
    exit (1);
  }
  return e;
}

static void write_samples (dds_entity_t participant, dds_entity_t topic, const dds_qos_t *qos, int count)
{
  dds_entity_t writer = check ("writer", dds_create_writer (participant, topic, qos, NULL));
  dds_publication_matched_status_t matched = { 0 };
  while (matched.current_count == 0) {
    check ("status", dds_get_publication_matched_status (writer, &matched));
    dds_sleepfor (DDS_MSECS (5));
  }
  for (int i = 0; i < count; i++) {
    char *names[] = { "shoulder", "elbow", "" };
    double position[] = { i, -0.5, 1e300 };
    double effort[] = { 0.25 };
    JointState m;
    memset (&m, 0, sizeof (m));
    m.header.stamp.sec = -i;
    m.header.stamp.nanosec = 999999999;
    m.header.frame_id = "base_link";
    m.name._length = m.name._maximum = (uint32_t) (i % 4);
    m.name._buffer = names;
    m.position._length = m.position._maximum = 3;
    m.position._buffer = position;
    m.effort._length = m.effort._maximum = 1;
    m.effort._buffer = effort;
    check ("write", dds_write (writer, &m));
  }
  check ("acks", dds_wait_for_acks (writer, DDS_SECS (10)));
  /* Who reads asks who has written: that is to be told for a while yet. */
  dds_sleepfor (DDS_MSECS (500));
}

static void print_numbers (const char *name, const dds_sequence_double *s)
{
  printf (" %s", name);
  for (uint32_t i = 0; i < s->_length; i++) {
    uint64_t bits;
    memcpy (&bits, &s->_buffer[i], sizeof (bits));
    printf (" %016" PRIx64, bits);
  }
}

static void print (const JointState *m)
{
  printf ("%d.%09u [%s] names", (int) m->header.stamp.sec, (unsigned) m->header.stamp.nanosec, m->header.frame_id);
  for (uint32_t i = 0; i < m->name._length; i++)
    printf (" [%s]", m->name._buffer[i]);
  print_numbers ("position", &m->position);
  print_numbers ("velocity", &m->velocity);
  print_numbers ("effort", &m->effort);
  printf ("\n");
  fflush (stdout);
}

static void read_samples (dds_entity_t participant, dds_entity_t topic, const dds_qos_t *qos, int count)
{
  dds_entity_t reader = check ("reader", dds_create_reader (participant, topic, qos, NULL));
  while (count > 0) {
    void *sample = NULL;
    dds_sample_info_t info;
    int32_t n = check ("take", dds_take (reader, &sample, &info, 1, 1));
    if (n == 1 && info.valid_data) {
      print (sample);
      count--;
    }
    if (n > 0)
      dds_return_loan (reader, &sample, n);
    else
      dds_sleepfor (DDS_MSECS (1));
  }
}

static void watch (dds_entity_t participant, dds_entity_t topic, dds_qos_t *qos, uint32_t count)
{
  dds_qset_deadline (qos, DDS_MSECS (50));
  dds_qset_liveliness (qos, DDS_LIVELINESS_AUTOMATIC, DDS_SECS (1));
  dds_entity_t reader = check ("reader", dds_create_reader (participant, topic, qos, NULL));
  dds_requested_deadline_missed_status_t missed = { 0 };
  dds_liveliness_changed_status_t liveliness = { .alive_count = 1 };
  while (missed.total_count < count) {
    void *sample = NULL;
    dds_sample_info_t info;
    int32_t n = check ("take", dds_take (reader, &sample, &info, 1, 1));
    if (n > 0)
      dds_return_loan (reader, &sample, n);
    check ("status", dds_get_requested_deadline_missed_status (reader, &missed));
    dds_sleepfor (DDS_MSECS (1));
  }
  printf ("deadline missed\n");
  fflush (stdout);
  while (liveliness.alive_count > 0) {
    check ("status", dds_get_liveliness_changed_status (reader, &liveliness));
    dds_sleepfor (DDS_MSECS (1));
  }
  printf ("nobody alive\n");
  fflush (stdout);
}

int main (int argc, char **argv)
{
  if (argc != 5)
    return 2;
  dds_entity_t participant = check ("participant", dds_create_participant ((dds_domainid_t) atoi (argv[1]), NULL, NULL));
  dds_entity_t topic = check ("topic", dds_create_topic (participant, &sensor_msgs_msg_dds__JointState__desc, argv[2], NULL, NULL));
  dds_qos_t *qos = dds_create_qos ();
  dds_qset_reliability (qos, DDS_RELIABILITY_RELIABLE, DDS_SECS (1));
  dds_qset_history (qos, DDS_HISTORY_KEEP_ALL, DDS_LENGTH_UNLIMITED);
  if (strcmp (argv[3], "write") == 0)
    write_samples (participant, topic, qos, atoi (argv[4]));
  else if (strcmp (argv[3], "watch") == 0)
    watch (participant, topic, qos, (uint32_t) atoi (argv[4]));
  else
    read_samples (participant, topic, qos, atoi (argv[4]));
  dds_delete_qos (qos);
  dds_delete (participant);
  return 0;
}
