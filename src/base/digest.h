/* src/base/digest.h
 * BLAKE2b-256 of a text, in hexadecimal: keys, secrets and request bodies are remembered in this form. */
#pragma once
#include "base/str.h"

/** 32 bytes in hexadecimal + NUL. */
#define DRG_DIGEST_TEXT 65

/** @param buf  DRG_DIGEST_TEXT bytes. */
void drg_digest_hex(struct drg_str text, char *buf);
