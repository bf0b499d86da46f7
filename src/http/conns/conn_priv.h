/* src/http/conns/conn_priv.h
 * Shared by the files of a connection. */
#pragma once
#include "http/conns/conn.h"

static const int64_t SECOND_NS = INT64_C(1000000000);
