// The kinds of suppliers' records. Made from src/model/kinds.h by tools/check_docs.py --write.
import { t } from "./texts.js";

/** The name of each kind, in the order of the pages. */
export const KINDS = {
  country: t("Country"),
  dep_city: t("Departure city"),
  city: t("City"),
  hotel_category: t("Hotel category"),
  hotel: t("Hotel"),
  meal: t("Meal"),
  currency: t("Currency"),
};

/** Kinds whose records are known by their names; others are known by their codes. */
export const NAMED = new Set(["dep_city", "city", "hotel"]);
