/* src/http/conns/conn_priv.h
 * Shared by the files of a connection. */
#pragma once
#include "http/conns/conn.h"
