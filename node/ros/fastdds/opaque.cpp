//go:build fastdds

#include "opaque.hpp"

#include <cstdlib>
#include <cstring>

namespace firstcontact {

/* A sample on the wire is the 4-byte encapsulation header and the body, padded
   to a multiple of 4. The two lowest bits of the header's options tell the
   padding (DDS-XTypes 1.3, 7.6.3.1.2). Fast DDS pads and does not tell: a
   sample of such a writer keeps its padding. */
enum { HEADER = 4, PADDING_BITS = 3 };

static uint32_t padded (uint32_t size) { return (size + 3u) & ~3u; }

Opaque::Opaque (const char *name)
{
  setName (name);
  m_typeSize = 1024; /* of a first guess; samples may be larger */
  m_isGetKeyDefined = false;
  auto_fill_type_object (false);
  auto_fill_type_information (false);
}

bool Opaque::serialize (void *data, Payload *payload)
{
  const Message *m = static_cast<Message *> (data);
  const uint32_t size = padded (m->size);
  if (payload->max_size < size)
    return false;
  memcpy (payload->data, m->data, m->size);
  memset (payload->data + m->size, 0, size - m->size);
  payload->data[3] = static_cast<unsigned char> ((payload->data[3] & ~PADDING_BITS) | (size - m->size));
  payload->length = size;
  payload->encapsulation = payload->data[1] & 1 ? CDR_LE : CDR_BE;
  return true;
}

bool Opaque::deserialize (Payload *payload, void *data)
{
  Message *m = static_cast<Message *> (data);
  m->whole = payload->length;
  m->size = m->max != 0 && m->whole > m->max && m->whole > m->head ? m->head : m->whole;
  m->data = static_cast<unsigned char *> (malloc (m->size + 1));
  if (m->data == nullptr)
    return false;
  memcpy (m->data, payload->data, m->size);
  if (m->size < HEADER || m->size < m->whole)
    return true;
  const uint32_t padding = m->data[3] & PADDING_BITS;
  m->data[3] &= static_cast<unsigned char> (~PADDING_BITS);
  if (m->size >= HEADER + padding)
    m->whole = m->size -= padding;
  return true;
}

std::function<uint32_t ()> Opaque::getSerializedSizeProvider (void *data)
{
  const uint32_t size = padded (static_cast<Message *> (data)->size);
  return [size] { return size; };
}

void *Opaque::createData () { return new Message; }

void Opaque::deleteData (void *data)
{
  Message *m = static_cast<Message *> (data);
  free (m->data);
  delete m;
}

bool Opaque::getKey (void *, eprosima::fastrtps::rtps::InstanceHandle_t *, bool) { return false; }

} // namespace firstcontact
