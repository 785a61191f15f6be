//go:build cyclone

/* What Go calls: thin layers over libddsc that keep its structures, and memory
 * that it frees, on this side. */

#include "bridge.h"

#include <stdlib.h>
#include <string.h>

#include "dds/ddsi/ddsi_domaingv.h"
#include "dds/ddsi/ddsi_entity_index.h"
#include "dds/ddsi/ddsi_proxy_endpoint.h"
#include "dds/ddsi/q_bswap.h"
#include "dds/ddsi/q_thread.h"
#include "sertype.h"

/* Domain and participant */

#ifdef DDS_HAS_SHM
const bool fc_has_shared_memory = true;
#else
const bool fc_has_shared_memory = false;
#endif

dds_entity_t fc_domain (uint32_t id, const char *config)
{
  return dds_create_domain (id, config);
}

dds_entity_t fc_participant (uint32_t domain, const char *user_data, uint32_t user_data_size, uint32_t count, char **names, char **values)
{
  dds_qos_t *qos = dds_create_qos ();
  dds_qset_userdata (qos, user_data, user_data_size);
  for (uint32_t i = 0; i < count; i++)
    dds_qset_prop (qos, names[i], values[i]);
  dds_entity_t participant = dds_create_participant (domain, qos, NULL);
  dds_delete_qos (qos);
  return participant;
}

dds_return_t fc_guid (dds_entity_t entity, unsigned char guid[FC_GUID])
{
  dds_guid_t g;
  dds_return_t rc = dds_get_guid (entity, &g);
  if (rc == DDS_RETCODE_OK)
    memcpy (guid, g.v, FC_GUID);
  return rc;
}

void fc_bounds (uint32_t head, uint32_t small, uint32_t waiting)
{
  opaque_bounds (head, small, waiting);
}

/* Endpoints */

static dds_qos_t *endpoint_qos (const fc_endpoint *e, bool is_writer)
{
  const dds_history_kind_t history = e->depth < 0 ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
  const int32_t depth = e->depth < 0 ? DDS_LENGTH_UNLIMITED : e->depth;
  dds_qos_t *qos = dds_create_qos ();
  dds_qset_userdata (qos, e->user_data, e->user_data_size);
  dds_qset_reliability (qos, e->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, e->max_blocking);
  dds_qset_durability (qos, e->transient_local ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_history (qos, history, depth);
  if (e->deadline > 0)
    dds_qset_deadline (qos, e->deadline);
  dds_qset_liveliness (qos, DDS_LIVELINESS_AUTOMATIC, e->lease > 0 ? e->lease : DDS_INFINITY);
  if (e->ignore_local)
    dds_qset_ignorelocal (qos, DDS_IGNORELOCAL_PARTICIPANT);
  if (is_writer) {
    /* Topics without a key have one instance, which must outlive its writer's
       last sample: no disposal. */
    dds_qset_writer_data_lifecycle (qos, false);
    if (e->lifespan > 0)
      dds_qset_lifespan (qos, e->lifespan);
    if (e->transient_local)
      dds_qset_durability_service (qos, 0, history, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  }
  return qos;
}

/* create_topic returns a topic that lives on in the endpoints made of it, and
   the sertype that it got: an equal one may have been there. */
static dds_entity_t create_topic (dds_entity_t participant, const fc_endpoint *e, struct ddsi_sertype **type)
{
  if ((*type = opaque_sertype (e->type, e->max_bytes)) == NULL)
    return DDS_RETCODE_OUT_OF_RESOURCES;
  struct ddsi_sertype *made = *type;
  dds_entity_t topic = dds_create_topic_sertype (participant, e->topic, type, NULL, NULL, NULL);
  if (topic < 0)
    ddsi_sertype_unref (made);
  return topic;
}

dds_entity_t fc_writer (dds_entity_t participant, const fc_endpoint *e, void **type)
{
  struct ddsi_sertype *sertype;
  dds_entity_t topic = create_topic (participant, e, &sertype);
  if (topic < 0)
    return topic;
  dds_qos_t *qos = endpoint_qos (e, true);
  dds_entity_t writer = dds_create_writer (participant, topic, qos, NULL);
  dds_delete_qos (qos);
  dds_delete (topic);
  *type = sertype;
  return writer;
}

dds_entity_t fc_reader (dds_entity_t participant, const fc_endpoint *e, void **type)
{
  struct ddsi_sertype *sertype;
  dds_entity_t topic = create_topic (participant, e, &sertype);
  if (topic < 0)
    return topic;
  dds_qos_t *qos = endpoint_qos (e, false);
  dds_entity_t reader = dds_create_reader (participant, topic, qos, NULL);
  dds_delete_qos (qos);
  dds_delete (topic);
  *type = sertype;
  return reader;
}

/* Samples */

dds_return_t fc_write (dds_entity_t writer, void *type, const void *message, uint32_t size, uint64_t sequence)
{
  struct opaque_serdata *d = opaque_sample (type, message, size);
  if (d == NULL)
    return DDS_RETCODE_OUT_OF_RESOURCES;
  d->sequence = sequence;
  return dds_writecdr (writer, &d->c); /* takes the reference */
}

int32_t fc_take (dds_entity_t reader, fc_sample *sample)
{
  struct ddsi_serdata *taken = NULL;
  dds_sample_info_t info;
  int32_t n = dds_takecdr (reader, &taken, 1, &info, DDS_ANY_STATE);
  if (n < 1)
    return n;
  const struct opaque_serdata *d = (const struct opaque_serdata *) taken;
  *sample = (fc_sample) {
    .serdata = taken,
    .data = d->data,
    .size = opaque_size (d),
    .whole = d->whole != 0 ? d->whole : opaque_size (d),
    .writer = d->writer,
    .sequence = d->sequence,
    .source_time = info.source_timestamp,
    .publication = info.publication_handle,
    .valid = info.valid_data,
  };
  return n;
}

void fc_release (fc_sample *sample)
{
  ddsi_serdata_unref (sample->serdata);
}

/* Events */

dds_return_t fc_attach (dds_entity_t waitset, dds_entity_t entity, int64_t tag, uint32_t mask)
{
  if (mask != 0) {
    dds_return_t rc = dds_set_status_mask (entity, mask);
    if (rc < 0)
      return rc;
  }
  return dds_waitset_attach (waitset, entity, (dds_attach_t) tag);
}

int32_t fc_wait (dds_entity_t waitset, int64_t *tags)
{
  dds_attach_t xs[FC_EVENTS];
  int32_t n = dds_waitset_wait (waitset, xs, FC_EVENTS, DDS_INFINITY);
  if (n > FC_EVENTS)
    n = FC_EVENTS; /* the rest is still set at the next call */
  for (int32_t i = 0; i < n; i++)
    tags[i] = (int64_t) xs[i];
  return n;
}

uint32_t fc_statuses (dds_entity_t entity)
{
  uint32_t set = 0, mask = 0;
  if (dds_get_status_mask (entity, &mask) < 0 || dds_take_status (entity, &set, mask) < 0)
    return 0;
  return set;
}

void fc_reader_counters (dds_entity_t reader, fc_counters *c)
{
  dds_sample_lost_status_t lost;
  dds_requested_incompatible_qos_status_t incompatible;
  dds_requested_deadline_missed_status_t missed;
  dds_liveliness_changed_status_t liveliness;
  memset (c, 0, sizeof (*c));
  if (dds_get_sample_lost_status (reader, &lost) == DDS_RETCODE_OK)
    c->lost = lost.total_count;
  if (dds_get_requested_incompatible_qos_status (reader, &incompatible) == DDS_RETCODE_OK) {
    c->incompatible = incompatible.total_count;
    c->incompatible_policy = incompatible.last_policy_id;
  }
  if (dds_get_requested_deadline_missed_status (reader, &missed) == DDS_RETCODE_OK)
    c->deadline_missed = missed.total_count;
  if (dds_get_liveliness_changed_status (reader, &liveliness) == DDS_RETCODE_OK) {
    c->alive = liveliness.alive_count;
    c->not_alive = liveliness.not_alive_count;
  }
}

void fc_writer_counters (dds_entity_t writer, fc_counters *c)
{
  dds_offered_incompatible_qos_status_t incompatible;
  dds_offered_deadline_missed_status_t missed;
  memset (c, 0, sizeof (*c));
  if (dds_get_offered_incompatible_qos_status (writer, &incompatible) == DDS_RETCODE_OK) {
    c->incompatible = incompatible.total_count;
    c->incompatible_policy = incompatible.last_policy_id;
  }
  if (dds_get_offered_deadline_missed_status (writer, &missed) == DDS_RETCODE_OK)
    c->deadline_missed = missed.total_count;
}

/* Discovery */

static void copy_qos (fc_found *f, const dds_qos_t *qos)
{
  dds_reliability_kind_t reliability;
  dds_durability_kind_t durability;
  dds_liveliness_kind_t liveliness;
  dds_duration_t d;
  (void) dds_qget_userdata (qos, &f->user_data, &f->user_data_size);
  if (dds_qget_reliability (qos, &reliability, NULL))
    f->reliable = reliability == DDS_RELIABILITY_RELIABLE;
  if (dds_qget_durability (qos, &durability))
    f->transient_local = durability != DDS_DURABILITY_VOLATILE;
  if (dds_qget_lifespan (qos, &d) && d != DDS_INFINITY)
    f->lifespan = d;
  if (dds_qget_deadline (qos, &d) && d != DDS_INFINITY)
    f->deadline = d;
  if (dds_qget_liveliness (qos, &liveliness, &d)) {
    f->liveliness = (uint32_t) liveliness;
    if (d != DDS_INFINITY)
      f->lease = d;
  }
}

static char *copy_string (const char *s)
{
  return s == NULL ? NULL : dds_string_dup (s);
}

static void copy_endpoint (fc_found *f, const dds_builtintopic_endpoint_t *e)
{
  memcpy (f->guid, e->key.v, FC_GUID);
  memcpy (f->participant, e->participant_key.v, FC_GUID);
  f->topic = copy_string (e->topic_name);
  f->type = copy_string (e->type_name);
  if (e->qos != NULL)
    copy_qos (f, e->qos);
}

static void copy_participant (fc_found *f, const dds_builtintopic_participant_t *p)
{
  memcpy (f->guid, p->key.v, FC_GUID);
  memcpy (f->participant, p->key.v, FC_GUID);
  if (p->qos != NULL)
    copy_qos (f, p->qos);
}

void fc_clear_found (fc_found *found)
{
  dds_free (found->topic);
  dds_free (found->type);
  dds_free (found->user_data);
}

void fc_free_found (fc_found *found, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    fc_clear_found (&found[i]);
  free (found);
}

/* matched_handles lists the instance handles of the endpoints matched with
   entity; the caller frees *handles. */
static int32_t matched_handles (dds_entity_t entity, bool is_writer, dds_instance_handle_t **handles)
{
  int32_t room = 32;
  *handles = NULL;
  for (;;) {
    dds_instance_handle_t *grown = realloc (*handles, (size_t) room * sizeof (**handles));
    if (grown == NULL)
      return DDS_RETCODE_OUT_OF_RESOURCES;
    *handles = grown;
    int32_t n = is_writer
      ? dds_get_matched_subscriptions (entity, grown, (size_t) room)
      : dds_get_matched_publications (entity, grown, (size_t) room);
    if (n <= room)
      return n;
    room = n + 32; /* some more, as matches may come meanwhile */
  }
}

static dds_builtintopic_endpoint_t *matched_data (dds_entity_t entity, bool is_writer, dds_instance_handle_t handle)
{
  return is_writer ? dds_get_matched_subscription_data (entity, handle) : dds_get_matched_publication_data (entity, handle);
}

/* delivers reports whether the samples of a matched writer are handed to a
   reader. The library announces a match first, then enters the reader into the
   list of those that get the remote writer's samples, and uses the list when
   all readers of the process are in it. A sample that arrives before that is
   dropped, and a best-effort writer or reader does not repair the loss. While
   the list holds a reliable reader, samples of writers on Cyclone DDS are
   dropped until their first heartbeat, too; other writers may send none before
   they have written. */
static bool delivers (dds_entity_t reader, const void *type, const dds_builtintopic_endpoint_t *writer)
{
  const struct ddsi_domaingv *gv = ddsrt_atomic_ldvoidp (&((const struct ddsi_sertype *) type)->gv);
  dds_guid_t reader_guid;
  ddsi_guid_t rd, wr;
  if (dds_get_guid (reader, &reader_guid) < 0)
    return false;
  memcpy (&rd, reader_guid.v, sizeof (rd));
  memcpy (&wr, writer->key.v, sizeof (wr));
  rd = nn_ntoh_guid (rd);
  wr = nn_ntoh_guid (wr);
  struct thread_state *thread = lookup_thread_state ();
  thread_state_awake (thread, gv); /* keeps what is looked up from being freed */
  bool yes = true; /* a writer of this process has no proxy and announces in order */
  struct ddsi_proxy_writer *proxy = entidx_lookup_proxy_writer_guid (gv->entity_index, &wr);
  if (proxy != NULL) {
    ddsrt_mutex_lock (&proxy->e.lock);
    yes = !proxy->local_matching_inprogress
      && (proxy->have_seen_heartbeat || proxy->n_reliable_readers == 0 || !vendor_is_eclipse (proxy->c.vendor))
      && ddsrt_avl_lookup (&ddsi_pwr_readers_treedef, &proxy->readers, &rd) != NULL;
    ddsrt_mutex_unlock (&proxy->e.lock);
  }
  thread_state_asleep (thread);
  return yes;
}

dds_return_t fc_matches (dds_entity_t entity, bool is_writer, const void *type, fc_found **found, uint32_t *count, uint32_t *unfinished)
{
  *found = NULL;
  *count = 0;
  *unfinished = 0;
  dds_instance_handle_t *handles;
  int32_t n = matched_handles (entity, is_writer, &handles);
  if (n > 0 && (*found = calloc ((size_t) n, sizeof (**found))) == NULL)
    n = DDS_RETCODE_OUT_OF_RESOURCES;
  for (int32_t i = 0; i < n; i++) {
    dds_builtintopic_endpoint_t *e = matched_data (entity, is_writer, handles[i]);
    if (e == NULL)
      continue; /* gone meanwhile */
    if (is_writer || delivers (entity, type, e))
      copy_endpoint (&(*found)[(*count)++], e);
    else
      (*unfinished)++;
    dds_builtintopic_free_endpoint (e);
  }
  free (handles);
  return n < 0 ? n : DDS_RETCODE_OK;
}

bool fc_publication (dds_entity_t reader, uint64_t handle, unsigned char guid[FC_GUID])
{
  dds_builtintopic_endpoint_t *e = dds_get_matched_publication_data (reader, handle);
  if (e == NULL)
    return false;
  memcpy (guid, e->key.v, FC_GUID);
  dds_builtintopic_free_endpoint (e);
  return true;
}

dds_return_t fc_discovered (dds_entity_t participant, enum fc_kind kind, fc_found **found, uint32_t *count)
{
  const dds_entity_t topic = kind == FC_PARTICIPANTS ? DDS_BUILTIN_TOPIC_DCPSPARTICIPANT
    : kind == FC_WRITERS ? DDS_BUILTIN_TOPIC_DCPSPUBLICATION : DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION;
  *found = NULL;
  *count = 0;
  dds_entity_t reader = dds_create_reader (participant, topic, NULL, NULL);
  if (reader < 0)
    return reader;
  enum { BATCH = 32 };
  uint32_t room = 0;
  dds_return_t rc;
  do {
    void *samples[BATCH] = { NULL };
    dds_sample_info_t info[BATCH];
    if ((rc = dds_take_mask (reader, samples, info, BATCH, BATCH, DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ALIVE_INSTANCE_STATE)) <= 0)
      break;
    room = *count + (uint32_t) rc;
    fc_found *grown = realloc (*found, room * sizeof (*grown));
    if (grown == NULL) {
      (void) dds_return_loan (reader, samples, rc);
      rc = DDS_RETCODE_OUT_OF_RESOURCES;
      break;
    }
    *found = grown;
    for (int32_t i = 0; i < rc; i++) {
      if (!info[i].valid_data)
        continue;
      fc_found *f = &grown[(*count)++];
      memset (f, 0, sizeof (*f));
      if (kind == FC_PARTICIPANTS)
        copy_participant (f, samples[i]);
      else
        copy_endpoint (f, samples[i]);
    }
    (void) dds_return_loan (reader, samples, rc);
  } while (true);
  dds_delete (reader);
  return rc < 0 ? rc : DDS_RETCODE_OK;
}

dds_entity_t fc_publications (dds_entity_t participant)
{
  return dds_create_reader (participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL);
}

int32_t fc_take_changes (dds_entity_t publications, fc_found changes[FC_CHANGES], bool alive[FC_CHANGES])
{
  void *samples[FC_CHANGES] = { NULL };
  dds_sample_info_t info[FC_CHANGES];
  const dds_return_t n = dds_take (publications, samples, info, FC_CHANGES, FC_CHANGES);
  for (int32_t i = 0; i < n; i++) {
    memset (&changes[i], 0, sizeof (changes[i]));
    alive[i] = info[i].valid_data && info[i].instance_state == DDS_ALIVE_INSTANCE_STATE;
    if (alive[i])
      copy_endpoint (&changes[i], samples[i]);
    else /* without data a sample has its key */
      memcpy (changes[i].guid, ((const dds_builtintopic_endpoint_t *) samples[i])->key.v, FC_GUID);
  }
  if (n > 0)
    (void) dds_return_loan (publications, samples, n);
  return n;
}
