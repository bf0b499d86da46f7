// Filters that a person keeps under a name: in this browser, for each person who signs in here.
import { say } from "./bench.js";
import { $, make } from "./dom.js";
import { root } from "./session.js";
import { t } from "./texts.js";

const MOST = 50;

/** @param choose  (query) => shows what it says @param query  () => what is shown now */
export function savedViews(person, { choose, query }) {
  const key = `dragoman-views${root.pathname}${person}`, form = $("#views"), select = form.elements.view, input = form.elements.view_name;
  let chosen = "";                  // two names can be of the same filters: the one that was chosen or kept last is meant

  /** [{ name, query }]; what somebody else has written there is none of ours. */
  function read() {
    try {
      const all = JSON.parse(localStorage.getItem(key) ?? "[]");
      return Array.isArray(all) ? all.filter(v => typeof v?.name === "string" && typeof v.query === "string") : [];
    } catch {
      return [];
    }
  }

  function paint() {
    const all = read(), now = query();
    select.replaceChildren(make("option", "", all.length > 0 ? t("choose …") : t("none kept yet")),
      ...all.map(v => make("option", "", v.name)));
    select.options[0].value = "";
    all.forEach((v, i) => { select.options[i + 1].value = v.name });
    select.value = (all.find(v => v.query === now && v.name === chosen) ?? all.find(v => v.query === now))?.name ?? "";
    select.disabled = all.length === 0;
    $("#view-delete").hidden = select.value === "";
  }

  /** @returns whether they are kept. */
  function write(all) {
    try {
      if (all.length > MOST) throw new Error(t("{most} views are kept at most: delete one first.", { most: MOST }));
      localStorage.setItem(key, JSON.stringify(all));
    } catch (e) {
      say(e.name === "Error" ? e.message : t("This browser keeps nothing for this page: allow it to, or free some room."), true);
      return false;
    }
    paint();
    return true;
  }

  function naming(is) {
    $("#view-naming").hidden = !is;
    $("#view-keep").hidden = is;
    (is ? input : $("#view-keep")).focus();
  }

  select.addEventListener("change", () => {
    const view = read().find(v => v.name === select.value);
    chosen = select.value;
    if (view) choose(view.query);
  });
  $("#view-keep").addEventListener("click", () => naming(true));
  $("#view-delete").addEventListener("click", () => {
    if (write(read().filter(v => v.name !== select.value))) $("#view-keep").focus();
  });
  form.addEventListener("keydown", event => event.key === "Escape" && !$("#view-naming").hidden && naming(false));
  form.addEventListener("submit", event => {
    event.preventDefault();
    const name = input.value.trim();
    if (name === "") return;
    chosen = name;
    if (!write([...read().filter(v => v.name !== name), { name, query: query() }])) return;
    input.value = "";
    naming(false);
  });
  paint();
  return { paint };
}
