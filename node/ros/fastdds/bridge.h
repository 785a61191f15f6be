#ifndef FIRSTCONTACT_FASTDDS_BRIDGE_H
#define FIRSTCONTACT_FASTDDS_BRIDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The calls that Go makes, in C. Fast DDS is C++: nothing of it, and no
   exception, passes this line. Durations are in nanoseconds, 0 meaning none.
   Calls that fail return NULL or a negative number and say why in *error, which
   the caller frees with free. */

#ifdef __cplusplus
extern "C" {
#endif

enum { FD_GUID = 16, FD_EVENTS = 32 };

typedef struct fd_participant fd_participant;
typedef struct fd_endpoint fd_endpoint;

typedef struct fd_network {
  bool own_transport; /* UDPv4 alone, as below; else that of the user's profiles */
  bool loopback_only;
  bool unicast;       /* no multicast for discovery */
  bool off;           /* no discovery */
  uint32_t peer_range; /* participants that are looked for at a peer's address */
  const char **peers; /* addresses; ends with NULL */
} fd_network;

typedef struct fd_endpoint_options {
  const char *topic;
  const char *type;
  const char *user_data;
  size_t user_data_size;
  bool reliable;
  bool transient_local;
  int32_t depth; /* negative: keep all */
  int64_t lifespan;
  int64_t deadline;
  int64_t lease; /* of automatic liveliness */
  int64_t max_blocking;
} fd_endpoint_options;

/* fd_version is that of the library's headers. */
const char *fd_version (void);

/* fd_setup configures the library for this process and sends its log to
   fdLogged. It comes before everything else, once. */
void fd_setup (void);

fd_participant *fd_open (uint32_t domain, const char *user_data, size_t user_data_size, const fd_network *network, char **error);
void fd_participant_guid (const fd_participant *p, unsigned char guid[FD_GUID]);

/* fd_close deletes a participant whose endpoints are deleted and whose fd_wait
   has returned. */
int fd_close (fd_participant *p, char **error);

fd_endpoint *fd_writer (fd_participant *p, const fd_endpoint_options *o, int64_t tag, char **error);
fd_endpoint *fd_reader (fd_participant *p, const fd_endpoint_options *o, int64_t tag, char **error);
void fd_endpoint_guid (const fd_endpoint *e, unsigned char guid[FD_GUID]);
int fd_delete (fd_endpoint *e, char **error);

/* What fd_wait reports of an endpoint. */
enum { FD_DATA = 1, FD_MATCHES = 2, FD_SILENCE = 4 };

typedef struct fd_event {
  int64_t tag;
  uint32_t what;
} fd_event;

/* fd_wait blocks until something has happened, and returns how many events it
   has written, or 0 after fd_stop. */
int fd_wait (fd_participant *p, fd_event events[FD_EVENTS]);
void fd_stop (fd_participant *p);

/* The identity of a sample: its writer and the writer's count of it, 0 if
   unknown. */
typedef struct fd_identity {
  unsigned char guid[FD_GUID];
  uint64_t sequence;
} fd_identity;

/* fd_write sends a serialized message of at least 4 bytes, with the identity of
   another sample where related is not NULL, and returns the writer's count of
   it, or -1 if the history stayed full. */
int64_t fd_write (fd_endpoint *writer, const void *message, uint32_t size, const fd_identity *related);

typedef struct fd_sample {
  unsigned char *data; /* to be freed */
  uint32_t size;
  uint32_t whole; /* larger than size where only the head was kept */
  bool valid;
  fd_identity identity;
  fd_identity related; /* zero if there is none */
  int64_t source_time;
} fd_sample;

/* fd_take takes the oldest sample and returns 1, or 0 if there is none. Of
   more than max bytes only head are kept. */
int fd_take (fd_endpoint *reader, uint32_t max, uint32_t head, fd_sample *sample);

typedef struct fd_counters {
  uint32_t lost;
  uint32_t incompatible;
  const char *incompatible_policy; /* static */
  uint32_t deadline_missed;
  uint32_t alive;     /* matched writers; of readers */
  uint32_t not_alive;
} fd_counters;

void fd_read_counters (fd_endpoint *e, fd_counters *c);

/* An endpoint or participant as discovery knows it. */
typedef struct fd_found {
  unsigned char guid[FD_GUID];
  unsigned char participant[FD_GUID];
  char *topic;
  char *type;
  char *user_data;
  size_t user_data_size;
  bool reliable;
  bool transient_local;
  int64_t lifespan;
  int64_t deadline;
  int64_t lease;
  uint32_t liveliness; /* as DDS numbers them */
} fd_found;

/* fd_matches returns the endpoints matched with a reader or writer. A reliable
   reader counts as matched with a reliable writer once it has acknowledged
   something, or after five seconds: what is written before it has matched the
   writer may be lost to it. *unfinished is the number of those that do not
   count yet; no event tells when they do. */
fd_found *fd_matches (fd_endpoint *e, size_t *count, size_t *unfinished);

enum fd_kind { FD_PARTICIPANTS, FD_WRITERS, FD_READERS };

/* fd_discovered returns what is known of the domain, of one kind; with topics,
   an array that ends with NULL, only endpoints on these. */
fd_found *fd_discovered (fd_participant *p, enum fd_kind kind, const char **topics, size_t *count);
void fd_free_found (fd_found *found, size_t count);

#ifdef __cplusplus
}
#endif

#endif
