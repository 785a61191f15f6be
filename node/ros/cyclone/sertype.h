#ifndef FIRSTCONTACT_CYCLONE_SERTYPE_H
#define FIRSTCONTACT_CYCLONE_SERTYPE_H

#include <stdint.h>

#include "dds/dds.h"
#include "dds/ddsi/ddsi_serdata.h"
#include "dds/ddsi/ddsi_sertype.h"

/* A sample of any keyless type: its serialized form and nothing else. */
struct opaque_serdata {
  struct ddsi_serdata c;
  uint64_t sequence;    /* the writer's count, 0 if unknown */
  uint32_t writer;      /* entity id that the count belongs to, 0 if local */
  uint32_t size;        /* header and body, padding to 4 included */
  uint32_t whole;       /* size of a sample of which only the head is here, else 0 */
  uint32_t counted;     /* among the bytes that wait */
  unsigned char data[]; /* encapsulation header, body, padding */
};

/* opaque_bounds sets how much is kept of samples that are refused, up to which
   size samples are always taken, and how many bytes of larger ones may wait in all
   readers together. */
void opaque_bounds (uint32_t head, uint32_t small, uint32_t waiting);

/* opaque_sertype makes the type of a topic whose samples stay serialized. Of a
   received sample of more than max bytes, where that is not 0, only the head is
   kept, and likewise where more wait than may. The caller owns it until dds_create_topic_sertype succeeds; NULL without memory. */
struct ddsi_sertype *opaque_sertype (const char *type_name, uint32_t max);

/* opaque_sample copies a serialized message, header included, of at least 4
   bytes. The result counts one reference; NULL without memory. */
struct opaque_serdata *opaque_sample (const struct ddsi_sertype *type, const void *message, uint32_t size);

/* opaque_size is the size of a sample without its padding. */
uint32_t opaque_size (const struct opaque_serdata *d);

#endif
