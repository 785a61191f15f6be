//go:build fastdds

#include "log.hpp"

#include <memory>

#include <fastdds/dds/log/Log.hpp>

extern "C" {
#include "_cgo_export.h"
}

namespace firstcontact {

using eprosima::fastdds::dds::Log;

/* The library calls it on a thread of its own, so nothing waits for it. */
class ToGo : public eprosima::fastdds::dds::LogConsumer {
public:
  void Consume (const Log::Entry &entry) override
  {
    fdLogged (entry.kind == Log::Kind::Error, entry.kind == Log::Kind::Warning, const_cast<char *> (entry.message.data ()), entry.message.size ());
  }
};

void log_to_go ()
{
  Log::ClearConsumers ();
  Log::RegisterConsumer (std::unique_ptr<eprosima::fastdds::dds::LogConsumer> (new ToGo));
}

} // namespace firstcontact
