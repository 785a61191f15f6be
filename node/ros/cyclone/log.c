//go:build cyclone

#include "bridge.h"

#include "dds/ddsrt/log.h"

#include "_cgo_export.h"

static void to_go (void *unused, const dds_log_data_t *data)
{
  (void) unused;
  const bool failed = (data->priority & (DDS_LC_FATAL | DDS_LC_ERROR)) != 0;
  fcLogged (failed, (data->priority & DDS_LC_WARNING) != 0, (char *) data->message, data->size);
}

void fc_log_to_go (void)
{
  dds_set_log_sink (to_go, NULL);
}
