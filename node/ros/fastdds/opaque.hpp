#ifndef FIRSTCONTACT_FASTDDS_OPAQUE_HPP
#define FIRSTCONTACT_FASTDDS_OPAQUE_HPP

#include <fastdds/dds/topic/TopicDataType.hpp>

namespace firstcontact {

/* Message is what an Opaque writes, and what it reads into: data are malloc'ed
   there. */
struct Message {
  unsigned char *data = nullptr;
  uint32_t size = 0;
  uint32_t whole = 0;
  uint32_t max = 0, head = 0; /* of more than max bytes only head are kept; 0: any */
};

/* Opaque is a type whose samples stay serialized. Peers cannot tell it from one
   that was made of an IDL file. */
class Opaque : public eprosima::fastdds::dds::TopicDataType {
public:
  using Payload = eprosima::fastrtps::rtps::SerializedPayload_t;

  explicit Opaque (const char *name);
  bool serialize (void *data, Payload *payload) override;
  bool deserialize (Payload *payload, void *data) override;
  std::function<uint32_t ()> getSerializedSizeProvider (void *data) override;
  void *createData () override;
  void deleteData (void *data) override;
  bool getKey (void *data, eprosima::fastrtps::rtps::InstanceHandle_t *handle, bool force_md5) override;
};

} // namespace firstcontact

#endif
