// People and keys, for administrators: who may sign in, which programs may ask, and the history of both (docs/workbench.md).
import { openPage, patiently, say, showError, stayed } from "./bench.js";
import { accessHistory } from "./curate.js";
import { $, make, name } from "./dom.js";
import { startGiven } from "./given.js";
import { startKeys } from "./keys.js";
import { startPeople } from "./people.js";
import { row, table } from "./tables.js";
import { dateTime, t } from "./texts.js";

const WHAT = () => ({ created: t("made"), changed: t("changed"), rotated: t("rotated"), revoked: t("revoked"), disabled: t("disabled"),
  enabled: t("enabled"), signed_in: t("signed in"), failed: t("failed to sign in") });

/** Both histories in one, the newest first. */
export const together = (people, keys, limit) => [...people.map(e => ({ ...e, of: "user" })), ...keys.map(e => ({ ...e, of: "key" }))]
  .sort((a, b) => b.at.localeCompare(a.at)).slice(0, limit);

function eventRow(e) {
  const whose = e.of === "key" ? make("span", "", t("key {id} ", { id: String(e.id) }), e.name ? name(e.name) : null) : name(e.name ?? "");
  return row([dateTime(e.at), "word"], whose, WHAT()[e.what] ?? e.what, name(e.detail ?? ""), name(e.by ?? ""));
}

async function showPast() {
  const limit = 100, [people, keys] = await patiently(Promise.all(["user", "key"].map(of => accessHistory({ of, limit }))));
  const list = together(people.items, keys.items, limit), stays = stayed($("#past"));
  $("#past").replaceChildren(list.length ? table([t("When"), t("Who or which"), t("What"), "", t("By")], list.map(eventRow))
    : make("p", "soft", t("Nothing yet.")));
  if (stays) $("#past").focus(); // the button is gone
}

async function open() {
  const me = await openPage();
  if (!me) return;
  if (me.role !== "admin") {
    $("#access").replaceChildren(make("p", "soft", t("Only administrators change people and keys.")));
    return;
  }
  startGiven($("#access"));
  $("#past-go").addEventListener("click", () => showPast().catch(showError));
  await patiently(Promise.all([startPeople(me.person), startKeys()]));
}

open().catch(e => { say(""); showError(e) });
