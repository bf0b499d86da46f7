/* src/text/icu.h
 * ICU, loaded when a text needs it (base/library.h): most need folding only, which has tables of its own
 * (text/fold.h). Its functions have its version in their names, by which they are looked up. */
#pragma once
#define U_DISABLE_RENAMING 1
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucol.h>
#include <unicode/ucsdet.h>
#include <unicode/uldnames.h>
#include <unicode/uloc.h>
#include <unicode/unorm2.h>
#include <unicode/uregion.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>
#include <unicode/utrans.h>

#include "base/library.h"

#define DRG_ICU_NAME_(f, version) #f #version
#define DRG_ICU_NAME(f, version) DRG_ICU_NAME_(f, version)
#define DRG_ICU(f) DRG_LATE_AS(ICU, f, DRG_ICU_NAME(f, U_ICU_VERSION_SUFFIX))
#define u_charType DRG_ICU(u_charType)
#define u_errorName DRG_ICU(u_errorName)
#define u_isalpha DRG_ICU(u_isalpha)
#define u_strFromUTF8 DRG_ICU(u_strFromUTF8)
#define u_strFromUTF8WithSub DRG_ICU(u_strFromUTF8WithSub)
#define u_strToUTF8 DRG_ICU(u_strToUTF8)
#define u_tolower DRG_ICU(u_tolower)
#define u_uastrcpy DRG_ICU(u_uastrcpy)
#define UCNV_TO_U_CALLBACK_STOP DRG_ICU(UCNV_TO_U_CALLBACK_STOP)
#define ucnv_close DRG_ICU(ucnv_close)
#define ucnv_convertEx DRG_ICU(ucnv_convertEx)
#define ucnv_open DRG_ICU(ucnv_open)
#define ucnv_setToUCallBack DRG_ICU(ucnv_setToUCallBack)
#define ucol_close DRG_ICU(ucol_close)
#define ucol_countAvailable DRG_ICU(ucol_countAvailable)
#define ucol_getAvailable DRG_ICU(ucol_getAvailable)
#define ucol_getSortKey DRG_ICU(ucol_getSortKey)
#define ucol_open DRG_ICU(ucol_open)
#define ucsdet_close DRG_ICU(ucsdet_close)
#define ucsdet_detectAll DRG_ICU(ucsdet_detectAll)
#define ucsdet_getConfidence DRG_ICU(ucsdet_getConfidence)
#define ucsdet_getName DRG_ICU(ucsdet_getName)
#define ucsdet_open DRG_ICU(ucsdet_open)
#define ucsdet_setText DRG_ICU(ucsdet_setText)
#define uldn_close DRG_ICU(uldn_close)
#define uldn_openForContext DRG_ICU(uldn_openForContext)
#define uldn_regionDisplayName DRG_ICU(uldn_regionDisplayName)
#define uloc_forLanguageTag DRG_ICU(uloc_forLanguageTag)
#define uloc_getISOCountries DRG_ICU(uloc_getISOCountries)
#define unorm2_getNFKCInstance DRG_ICU(unorm2_getNFKCInstance)
#define unorm2_normalize DRG_ICU(unorm2_normalize)
#define uregion_getRegionCode DRG_ICU(uregion_getRegionCode)
#define uregion_getRegionFromCode DRG_ICU(uregion_getRegionFromCode)
#define uregion_getType DRG_ICU(uregion_getType)
#define uscript_getScript DRG_ICU(uscript_getScript)
#define utrans_close DRG_ICU(utrans_close)
#define utrans_openU DRG_ICU(utrans_openU)
#define utrans_transUChars DRG_ICU(utrans_transUChars)
