// Decodes messages with Cyclone DDS and encodes what it understood.
//
// On standard input come frames of the host's uint32 number of a type, uint32
// length, and an encoding of that length; each is answered on standard output by
// uint32 length and the encoding again, or by the length 0 where Cyclone DDS
// refuses it. types.h is generated beside the IDL that idlc compiles.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dds/dds.h"
#include "dds/ddsi/ddsi_serdata.h"

#include "types.h" // static const dds_topic_descriptor_t *const types[]

enum { type_count = sizeof types / sizeof types[0], max_frame = 1 << 20 };

static void check(dds_return_t r, const char *what)
{
  if (r < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-r));
    exit(1);
  }
}

// The type of a topic is only to be had from a sample that was written to it.
static const struct ddsi_sertype *serializer(dds_entity_t participant, int number)
{
  char name[32];
  snprintf(name, sizeof name, "echo%d", number);
  dds_entity_t topic = dds_create_topic(participant, types[number], name, NULL, NULL);
  check(topic, types[number]->m_typename);
  dds_entity_t reader = dds_create_reader(participant, topic, NULL, NULL);
  check(reader, "reader");
  dds_entity_t writer = dds_create_writer(participant, topic, NULL, NULL);
  check(writer, "writer");
  void *zero = calloc(1, types[number]->m_size);
  check(dds_write(writer, zero), "write");
  free(zero);
  struct ddsi_serdata *sample;
  dds_sample_info_t info;
  if (dds_takecdr(reader, &sample, 1, &info, DDS_ANY_STATE) != 1) {
    fprintf(stderr, "%s: the sample did not arrive\n", types[number]->m_typename);
    exit(1);
  }
  return sample->type;
}

static void answer(const void *data, uint32_t size)
{
  fwrite(&size, sizeof size, 1, stdout);
  fwrite(data, 1, size, stdout);
  fflush(stdout);
}

static void echo(const struct ddsi_sertype *type, const dds_topic_descriptor_t *descriptor, void *data, size_t size)
{
  ddsrt_iovec_t iov = {.iov_base = data, .iov_len = size};
  struct ddsi_serdata *in = ddsi_serdata_from_ser_iov(type, SDK_DATA, 1, &iov, size);
  void *sample = calloc(1, descriptor->m_size);
  if (in == NULL || !ddsi_serdata_to_sample(in, sample, NULL, NULL)) {
    answer(NULL, 0);
    free(sample);
    return;
  }
  struct ddsi_serdata *out = ddsi_serdata_from_sample(type, SDK_DATA, sample);
  uint32_t again = ddsi_serdata_size(out);
  void *buffer = malloc(again);
  ddsi_serdata_to_ser(out, 0, again, buffer);
  answer(buffer, again);
  free(buffer);
  ddsi_serdata_unref(out);
  ddsi_serdata_unref(in);
  dds_sample_free(sample, descriptor, DDS_FREE_CONTENTS);
  free(sample);
}

int main(void)
{
  dds_entity_t participant = dds_create_participant(230, NULL, NULL);
  check(participant, "participant");
  static const struct ddsi_sertype *sertypes[type_count];
  for (int i = 0; i < type_count; i++)
    sertypes[i] = serializer(participant, i);
  static char data[max_frame];
  uint32_t head[2];
  while (fread(head, sizeof head, 1, stdin) == 1) {
    if (head[0] >= type_count || head[1] > max_frame || fread(data, 1, head[1], stdin) != head[1])
      return 1;
    echo(sertypes[head[0]], types[head[0]], data, head[1]);
  }
  return 0;
}
