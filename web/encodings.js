// The encodings of text files that people choose from; the command and the API know every one of ICU.
import { t } from "./texts.js";

export const ENCODINGS = { "utf-8": "UTF-8", "utf-16": "UTF-16",
  "windows-1251": t("Cyrillic (windows-1251)"), "windows-1254": t("Turkish (windows-1254)"),
    "windows-1252": t("Western European (windows-1252)"),
  "windows-1250": t("Central European (windows-1250)"), "windows-1253": t("Greek (windows-1253)"),
    "windows-1257": t("Baltic (windows-1257)"),
  "windows-1255": t("Hebrew (windows-1255)"), "windows-1256": t("Arabic (windows-1256)"), "windows-1258": t("Vietnamese (windows-1258)"),
  macintosh: t("Western European (Mac)"), "x-mac-greek": t("Greek (Mac)"), "x-mac-turkish": t("Turkish (Mac)"),
  "x-mac-cyrillic": t("Cyrillic (Mac)"), "x-mac-centraleurroman": t("Central European (Mac)"),
  ibm850: t("Western European, DOS (850)"), ibm437: t("Western European, DOS (437)"), ibm852: t("Central European, DOS (852)"),
  ibm857: t("Turkish, DOS (857)"), "iso-8859-2": t("Central European (ISO 8859-2)"), "euc-jp": t("Japanese (EUC-JP)"),
  "windows-874": t("Thai (windows-874)"), "koi8-u": t("Cyrillic (KOI8-U)"), ibm866: t("Cyrillic, DOS (866)"),
  gb18030: t("Chinese (GB 18030)"), big5: t("Chinese (Big5)"), shift_jis: t("Japanese (Shift JIS)"), "euc-kr": t("Korean (EUC-KR)"),
  "ibm-1047": t("Western European, mainframe (EBCDIC 1047)"), "ibm-1141": t("German, mainframe (EBCDIC 1141)"),
  "ibm-1026": t("Turkish, mainframe (EBCDIC 1026)"), "ibm-1025": t("Cyrillic, mainframe (EBCDIC 1025)") };
