//go:build cyclone

/* A sertype whose samples stay serialized.
 *
 * Cyclone DDS handles samples through two tables of functions: one for a type
 * (sertype) and one for its samples (serdata). The tables here keep the bytes
 * that go over the wire. Topics of ROS have no key, so all samples of a topic
 * are one instance: keys are equal and hash to a constant.
 *
 * A sample on the wire is the 4-byte encapsulation header and the body, padded
 * to a multiple of 4. The two lowest bits of the header's options tell the
 * padding (DDS-XTypes 1.3, 7.6.3.1.2).
 */

#include "sertype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/ddsi/q_protocol.h"
#include "dds/ddsi/q_radmin.h"

enum { HEADER = 4, PADDING_BITS = 3 };

static const struct ddsi_serdata_ops serdata_ops;
static const struct ddsi_sertype_ops sertype_ops;

/* Samples */

struct opaque_sertype {
  struct ddsi_sertype c;
  uint32_t max;
};

static uint32_t head_size = 2048, small_size = 16384, waiting_size = 1 << 25;
static uint64_t waiting; /* bytes, of samples larger than small_size */

void opaque_bounds (uint32_t head, uint32_t small, uint32_t total)
{
  head_size = head & ~3u;
  small_size = small;
  waiting_size = total;
}

static struct opaque_serdata *new_serdata (const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t size)
{
  if (size > UINT32_MAX - HEADER)
    return NULL;
  const uint32_t padded = ((uint32_t) size + 3u) & ~3u;
  struct opaque_serdata *d = malloc (sizeof (*d) + padded);
  if (d == NULL)
    return NULL;
  ddsi_serdata_init (&d->c, type, kind);
  d->c.hash = type->serdata_basehash;
  d->sequence = 0;
  d->writer = 0;
  d->size = padded;
  d->whole = 0;
  d->counted = 0;
  memset (d->data + size, 0, padded - size);
  return d;
}

struct opaque_serdata *opaque_sample (const struct ddsi_sertype *type, const void *message, uint32_t size)
{
  struct opaque_serdata *d = new_serdata (type, SDK_DATA, size);
  if (d == NULL)
    return NULL;
  memcpy (d->data, message, size);
  d->data[3] = (unsigned char) ((d->data[3] & ~PADDING_BITS) | (d->size - size));
  return d;
}

/* new_received makes room for what is kept of a received sample, *kept bytes. */
static struct opaque_serdata *new_received (const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, size_t size, size_t *kept)
{
  const uint32_t max = ((const struct opaque_sertype *) type)->max;
  *kept = size;
  uint32_t counted = 0;
  if (max != 0 && size > max && size > head_size)
    *kept = head_size;
  else if (size > small_size && max <= waiting_size) {
    const uint64_t now = __atomic_add_fetch (&waiting, size, __ATOMIC_RELAXED);
    if (now > waiting_size && now > size) {
      __atomic_sub_fetch (&waiting, size, __ATOMIC_RELAXED);
      *kept = head_size;
    } else
      counted = (uint32_t) size;
  }
  struct opaque_serdata *d = new_serdata (type, kind, *kept);
  if (d == NULL) {
    __atomic_sub_fetch (&waiting, counted, __ATOMIC_RELAXED);
    return NULL;
  }
  d->counted = counted;
  if (*kept < size)
    d->whole = (uint32_t) size;
  return d;
}

uint32_t opaque_size (const struct opaque_serdata *d)
{
  if (d->whole != 0)
    return d->size;
  const uint32_t padding = d->size < HEADER ? 0 : d->data[3] & PADDING_BITS;
  return d->size < HEADER + padding ? d->size : d->size - padding;
}

static uint32_t serdata_size (const struct ddsi_serdata *dcmn)
{
  return ((const struct opaque_serdata *) dcmn)->size;
}

static void serdata_free (struct ddsi_serdata *dcmn)
{
  __atomic_sub_fetch (&waiting, ((struct opaque_serdata *) dcmn)->counted, __ATOMIC_RELAXED);
  free (dcmn);
}

/* note_sequence takes the writer's sequence number from the DATA or DATA_FRAG
   submessage in which the first fragment came: the library does not hand it
   on. The receiver has validated the submessage and turned its numbers into
   the order of this machine. */
static void note_sequence (struct opaque_serdata *d, const struct nn_rdata *fragment)
{
  const uint32_t offset = NN_RDATA_SUBMSG_OFF (fragment);
  if (offset == 0)
    return;
  const Data_DataFrag_common_t *m = (const Data_DataFrag_common_t *) NN_RMSG_PAYLOADOFF (fragment->rmsg, offset);
  if (m->smhdr.submessageId != SMID_DATA && m->smhdr.submessageId != SMID_DATA_FRAG)
    return;
  d->sequence = (uint64_t) (uint32_t) m->writerSN.high << 32 | m->writerSN.low;
  d->writer = m->writerId.u;
}

/* serdata_from_ser joins the fragments of a received sample. They are sorted
   and may overlap. */
static struct ddsi_serdata *serdata_from_ser (const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const struct nn_rdata *fragment, size_t size)
{
  if (size < HEADER || size > UINT32_MAX - HEADER)
    return NULL;
  struct opaque_serdata *d = new_received (type, kind, size, &size);
  if (d == NULL)
    return NULL;
  note_sequence (d, fragment);
  uint32_t have = 0;
  for (; fragment != NULL && have < size; fragment = fragment->nextfrag) {
    if (fragment->min > have)
      break;
    if (fragment->maxp1 <= have)
      continue;
    const uint32_t end = fragment->maxp1 < size ? fragment->maxp1 : (uint32_t) size;
    const unsigned char *payload = NN_RMSG_PAYLOADOFF (fragment->rmsg, NN_RDATA_PAYLOAD_OFF (fragment));
    memcpy (d->data + have, payload + (have - fragment->min), end - have);
    have = end;
  }
  if (have < size) {
    serdata_free (&d->c);
    return NULL;
  }
  return &d->c;
}

/* serdata_from_ser_iov takes over a sample from a writer of this process whose
   sertype is another one. */
static struct ddsi_serdata *serdata_from_ser_iov (const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t niov, const ddsrt_iovec_t *iov, size_t size)
{
  if (size < HEADER || size > UINT32_MAX - HEADER)
    return NULL;
  struct opaque_serdata *d = new_received (type, kind, size, &size);
  if (d == NULL)
    return NULL;
  size_t have = 0;
  for (ddsrt_msg_iovlen_t i = 0; i < niov && have < size; i++) {
    const size_t n = iov[i].iov_len < size - have ? iov[i].iov_len : size - have;
    memcpy (d->data + have, iov[i].iov_base, n);
    have += n;
  }
  if (have < size) {
    serdata_free (&d->c);
    return NULL;
  }
  return &d->c;
}

static struct ddsi_serdata *key_only (const struct ddsi_sertype *type)
{
  static const unsigned char header[HEADER] = { 0, 1, 0, 0 };
  struct opaque_serdata *d = new_serdata (type, SDK_KEY, HEADER);
  if (d == NULL)
    return NULL;
  memcpy (d->data, header, HEADER);
  return &d->c;
}

static struct ddsi_serdata *serdata_from_keyhash (const struct ddsi_sertype *type, const struct ddsi_keyhash *keyhash)
{
  (void) keyhash;
  return key_only (type);
}

/* Samples come and go serialized, so there is no other form to make one from
   or to turn one into; only a disposal, which has no contents, can be made. */
static struct ddsi_serdata *serdata_from_sample (const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *sample)
{
  (void) sample;
  return kind == SDK_KEY ? key_only (type) : NULL;
}

static bool serdata_to_sample (const struct ddsi_serdata *d, void *sample, void **bufptr, void *buflim)
{
  (void) d; (void) sample; (void) bufptr; (void) buflim;
  return false;
}

static bool serdata_untyped_to_sample (const struct ddsi_sertype *type, const struct ddsi_serdata *d, void *sample, void **bufptr, void *buflim)
{
  (void) type; (void) d; (void) sample; (void) bufptr; (void) buflim;
  return false;
}

/* serdata_to_untyped makes the sample that stands for the instance. */
static struct ddsi_serdata *serdata_to_untyped (const struct ddsi_serdata *dcmn)
{
  struct ddsi_serdata *untyped = key_only (dcmn->type);
  if (untyped != NULL)
    untyped->type = NULL;
  return untyped;
}

static void serdata_to_ser (const struct ddsi_serdata *dcmn, size_t off, size_t sz, void *buf)
{
  const struct opaque_serdata *d = (const struct opaque_serdata *) dcmn;
  memcpy (buf, d->data + off, sz);
}

static struct ddsi_serdata *serdata_to_ser_ref (const struct ddsi_serdata *dcmn, size_t off, size_t sz, ddsrt_iovec_t *ref)
{
  struct opaque_serdata *d = (struct opaque_serdata *) dcmn;
  ref->iov_base = d->data + off;
  ref->iov_len = (ddsrt_iov_len_t) sz;
  return ddsi_serdata_ref (dcmn);
}

static void serdata_to_ser_unref (struct ddsi_serdata *dcmn, const ddsrt_iovec_t *ref)
{
  (void) ref;
  ddsi_serdata_unref (dcmn);
}

static bool serdata_eqkey (const struct ddsi_serdata *a, const struct ddsi_serdata *b)
{
  (void) a; (void) b;
  return true;
}

static size_t serdata_print (const struct ddsi_sertype *type, const struct ddsi_serdata *d, char *buf, size_t size)
{
  (void) type;
  return (size_t) snprintf (buf, size, "%u bytes", ((const struct opaque_serdata *) d)->size);
}

static void serdata_get_keyhash (const struct ddsi_serdata *d, struct ddsi_keyhash *buf, bool force_md5)
{
  (void) d; (void) force_md5;
  memset (buf, 0, sizeof (*buf));
}

static const struct ddsi_serdata_ops serdata_ops = {
  .eqkey = serdata_eqkey,
  .get_size = serdata_size,
  .from_ser = serdata_from_ser,
  .from_ser_iov = serdata_from_ser_iov,
  .from_keyhash = serdata_from_keyhash,
  .from_sample = serdata_from_sample,
  .to_ser = serdata_to_ser,
  .to_ser_ref = serdata_to_ser_ref,
  .to_ser_unref = serdata_to_ser_unref,
  .to_sample = serdata_to_sample,
  .to_untyped = serdata_to_untyped,
  .untyped_to_sample = serdata_untyped_to_sample,
  .free = serdata_free,
  .print = serdata_print,
  .get_keyhash = serdata_get_keyhash,
};

/* Types */

struct ddsi_sertype *opaque_sertype (const char *type_name, uint32_t max)
{
  struct opaque_sertype *opaque = malloc (sizeof (*opaque));
  if (opaque == NULL)
    return NULL;
  opaque->max = max;
  struct ddsi_sertype *type = &opaque->c;
  ddsi_sertype_init_flags (type, type_name, &sertype_ops, &serdata_ops, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
  type->allowed_data_representation = DDS_DATA_REPRESENTATION_FLAG_XCDR1;
  return type;
}

static void sertype_free (struct ddsi_sertype *type)
{
  ddsi_sertype_fini (type);
  free (type);
}

/* The library compares the names itself. */
static bool sertype_equal (const struct ddsi_sertype *a, const struct ddsi_sertype *b)
{
  return ((const struct opaque_sertype *) a)->max == ((const struct opaque_sertype *) b)->max;
}

static uint32_t sertype_hash (const struct ddsi_sertype *type)
{
  return ((const struct opaque_sertype *) type)->max;
}

/* There are no deserialized samples, hence none to allocate. */
static void sertype_zero_samples (const struct ddsi_sertype *type, void *samples, size_t count)
{
  (void) type; (void) samples; (void) count;
}

static void sertype_realloc_samples (void **ptrs, const struct ddsi_sertype *type, void *old, size_t oldcount, size_t count)
{
  (void) type; (void) old; (void) oldcount;
  for (size_t i = 0; i < count; i++)
    ptrs[i] = NULL;
}

static void sertype_free_samples (const struct ddsi_sertype *type, void **ptrs, size_t count, dds_free_op_t op)
{
  (void) type; (void) ptrs; (void) count; (void) op;
}

static const struct ddsi_sertype_ops sertype_ops = {
  .version = ddsi_sertype_v0,
  .free = sertype_free,
  .zero_samples = sertype_zero_samples,
  .realloc_samples = sertype_realloc_samples,
  .free_samples = sertype_free_samples,
  .equal = sertype_equal,
  .hash = sertype_hash,
};
