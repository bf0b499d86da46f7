// Decisions that were written into a spreadsheet: looked at first, then loaded (docs/workbench.md).
import { fillSelect, patiently, say, showError, stayed } from "./bench.js";
import { takeBack } from "./curate.js";
import { $, make, name } from "./dom.js";
import { ENCODINGS } from "./encodings.js";
import { row, table } from "./tables.js";
import { number, t } from "./texts.js";

const COUNTS = () => ({ accepted: t("accepted"), rejected: t("rejected"), made: t("made new"), mapped: t("mapped"), cleared: t("cleared"),
  same: t("as before or not answered"), refused: t("refused") });

let busy = false;

/** "3 accepted, 1 refused": what is none is left out. */
export function counts(d) {
  return Object.entries(COUNTS()).filter(([what]) => d[what] > 0).map(([what, text]) => `${number(d[what])} ${text}`).join(", ");
}

/** The effects of a file, or of its preview. */
export function taken(d) {
  const rows = d.told.map(it => row([it.where, "word"], name(it.why)));
  return [make("h3", "", d.applied ? t("What it did") : t("What it would do")),
    make("p", "number", t("{n} row|{n} rows", { n: d.rows }), ": ", counts(d) || t("nothing")),
    d.makes.length ? make("ul", "", ...d.makes.map(it => make("li", "", name(it.name), " ",
      name([it.city, it.country].filter(Boolean).join(", "), "soft"), ": ",
      t("joins {n} record|joins {n} records", { n: it.records })))) : "",
    rows.length ? table([t("Row"), t("Why it is refused")], rows) : "",
    d.batch ? make("p", "soft", t("Batch {id}: undo it on the history page.", { id: String(d.batch) })) : ""];
}

async function send(dry) {
  const file = $("#take-file").files[0], at = document.activeElement;
  if (!file) return say(t("Choose a file first."), true);
  if (busy) return;
  busy = true;
  try {
    const values = { ...Object.fromEntries(new FormData($("#take"))), file: file.name, dry_run: dry ? 1 : "" };
    const d = await patiently(takeBack(values, file));
    $("#taken").replaceChildren(...taken(d));
    $("#take-go").disabled = !dry || d.accepted + d.rejected + d.made + d.mapped + d.cleared === 0;
    if (!dry && stayed(at)) $("#taken").focus(); // the button goes
    say("");
  } catch (e) {
    showError(e);
  } finally {
    busy = false;
  }
}

export function startTaking() {
  $("#taking").hidden = false;
  fillSelect($("#take").elements.encoding, ENCODINGS);
  $("#take").addEventListener("submit", event => {
    event.preventDefault();
    send(true);
  });
  $("#take-go").addEventListener("click", () => send(false));
  $("#take").addEventListener("change", ({ target }) => {
    if (target.name === "why") return;
    $("#take-go").disabled = true; // it is looked at again
    $("#taken").replaceChildren();
    if ($("#take-file").files.length > 0) send(true);
  });
}
