#ifndef FIRSTCONTACT_CYCLONE_BRIDGE_H
#define FIRSTCONTACT_CYCLONE_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "dds/dds.h"

/* The calls that Go makes. Those that can fail return a negative dds_return_t;
   durations are in nanoseconds, 0 meaning none. */

enum { FC_GUID = 16, FC_EVENTS = 32 };

typedef struct fc_endpoint {
  const char *topic;
  const char *type;
  const char *user_data;
  uint32_t user_data_size;
  bool reliable;
  bool transient_local;
  int32_t depth; /* negative: keep all */
  int64_t lifespan;
  int64_t deadline;
  int64_t lease; /* of automatic liveliness */
  int64_t max_blocking;
  bool ignore_local;
  uint32_t max_bytes; /* of a sample that a reader takes whole; 0: any */
} fc_endpoint;

/* fc_has_shared_memory tells whether the library was built with Iceoryx. */
extern const bool fc_has_shared_memory;

/* fc_bounds says how much is kept of samples that are too large, up to which size
   samples are always taken, and how many bytes of larger ones may wait. */
void fc_bounds (uint32_t head, uint32_t small, uint32_t waiting);

/* fc_domain creates a domain from a list of configurations. */
dds_entity_t fc_domain (uint32_t id, const char *config);

/* fc_participant creates a participant with count properties. */
dds_entity_t fc_participant (uint32_t domain, const char *user_data, uint32_t user_data_size, uint32_t count, char **names, char **values);

/* fc_writer and fc_reader create an endpoint. Its samples are made of *type,
   which lives as long as the endpoint does. */
dds_entity_t fc_writer (dds_entity_t participant, const fc_endpoint *e, void **type);
dds_entity_t fc_reader (dds_entity_t participant, const fc_endpoint *e, void **type);

dds_return_t fc_guid (dds_entity_t entity, unsigned char guid[FC_GUID]);

/* fc_write sends a serialized message; sequence is the writer's count of it. */
dds_return_t fc_write (dds_entity_t writer, void *type, const void *message, uint32_t size, uint64_t sequence);

typedef struct fc_sample {
  void *serdata; /* to be given to fc_release */
  const void *data;
  uint32_t size;
  uint32_t whole; /* larger than size where only the head was kept */
  uint32_t writer; /* entity id that sequence belongs to, 0 if local */
  uint64_t sequence;
  int64_t source_time;
  uint64_t publication;
  bool valid;
} fc_sample;

/* fc_take takes the oldest sample and returns 1, or 0 if there is none. */
int32_t fc_take (dds_entity_t reader, fc_sample *sample);
void fc_release (fc_sample *sample);

/* fc_attach makes a waitset report an entity under the number tag; the mask
   says on which statuses. fc_wait blocks until something is reported, fills
   tags with at most FC_EVENTS and returns their number. fc_statuses returns
   and resets those statuses that are set. */
dds_return_t fc_attach (dds_entity_t waitset, dds_entity_t entity, int64_t tag, uint32_t mask);
int32_t fc_wait (dds_entity_t waitset, int64_t *tags);
uint32_t fc_statuses (dds_entity_t entity);

typedef struct fc_counters {
  uint32_t lost;
  uint32_t incompatible;
  uint32_t incompatible_policy;
  uint32_t deadline_missed;
  uint32_t alive;     /* matched writers; of readers */
  uint32_t not_alive;
} fc_counters;

void fc_reader_counters (dds_entity_t reader, fc_counters *c);
void fc_writer_counters (dds_entity_t writer, fc_counters *c);

/* An endpoint or participant as discovery knows it. Strings are freed with
   fc_free_found. */
typedef struct fc_found {
  unsigned char guid[FC_GUID];
  unsigned char participant[FC_GUID];
  char *topic;
  char *type;
  void *user_data;
  size_t user_data_size;
  bool reliable;
  bool transient_local;
  int64_t lifespan;
  int64_t deadline;
  int64_t lease;
  uint32_t liveliness; /* a dds_liveliness_kind_t */
} fc_found;

/* fc_matches returns the endpoints matched with a reader or writer of a type in
   an array of *count. Of a reader's these are the writers whose samples it gets
   from now on; *unfinished counts those that the library announces before it
   hands their samples over. No event tells of the end of that, which takes
   less than a millisecond on an idle machine. fc_publication finds the writer of a sample among those matched
   with a reader. */
dds_return_t fc_matches (dds_entity_t entity, bool is_writer, const void *type, fc_found **found, uint32_t *count, uint32_t *unfinished);
bool fc_publication (dds_entity_t reader, uint64_t handle, unsigned char guid[FC_GUID]);

enum fc_kind { FC_PARTICIPANTS, FC_WRITERS, FC_READERS };

/* fc_discovered returns what is alive in the domain, of one kind. */
dds_return_t fc_discovered (dds_entity_t participant, enum fc_kind kind, fc_found **found, uint32_t *count);

/* fc_publications makes a reader of the writers of the domain, which goes with the
   participant. fc_take_changes takes what has changed since the last call, a bounded
   number at a time: writers that are new, or no longer alive, of which the guid alone is
   set. It returns their number, or an error. One reader serves all calls, as each reader
   of discovery costs the library some bytes for good; and the number does not grow, as the
   library corrupts its heap where a reader's loan does. */
enum { FC_CHANGES = 32 };
dds_entity_t fc_publications (dds_entity_t participant);
int32_t fc_take_changes (dds_entity_t publications, fc_found changes[FC_CHANGES], bool alive[FC_CHANGES]);
void fc_clear_found (fc_found *found); /* frees its strings */
void fc_free_found (fc_found *found, uint32_t count);

#endif
