/* src/http/mhd.h
 * libmicrohttpd, loaded by the server (base/library.h): it brings TLS, which it is not asked for. */
#pragma once
#include <microhttpd.h>

#include "base/library.h"

#define MHD_add_connection DRG_LATE(MHD, MHD_add_connection)
#define MHD_add_response_header DRG_LATE(MHD, MHD_add_response_header)
#define MHD_create_post_processor DRG_LATE(MHD, MHD_create_post_processor)
#define MHD_create_response_from_buffer DRG_LATE(MHD, MHD_create_response_from_buffer)
#define MHD_create_response_from_callback DRG_LATE(MHD, MHD_create_response_from_callback)
#define MHD_destroy_post_processor DRG_LATE(MHD, MHD_destroy_post_processor)
#define MHD_destroy_response DRG_LATE(MHD, MHD_destroy_response)
#define MHD_get_connection_info DRG_LATE(MHD, MHD_get_connection_info)
#define MHD_get_connection_values_n DRG_LATE(MHD, MHD_get_connection_values_n)
#define MHD_get_reason_phrase_for DRG_LATE(MHD, MHD_get_reason_phrase_for)
#define MHD_get_version DRG_LATE(MHD, MHD_get_version)
#define MHD_post_process DRG_LATE(MHD, MHD_post_process)
#define MHD_queue_response DRG_LATE(MHD, MHD_queue_response)
#define MHD_quiesce_daemon DRG_LATE(MHD, MHD_quiesce_daemon)
#define MHD_resume_connection DRG_LATE(MHD, MHD_resume_connection)
#define MHD_start_daemon DRG_LATE(MHD, MHD_start_daemon)
#define MHD_stop_daemon DRG_LATE(MHD, MHD_stop_daemon)
#define MHD_suspend_connection DRG_LATE(MHD, MHD_suspend_connection)
