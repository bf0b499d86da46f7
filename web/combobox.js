// A text field with suggestions, as WAI-ARIA describes an editable combobox with a list.
import { make } from "./dom.js";

/**
 * @param root   has an input and a ul.
 * @param find   (text, signal, all) => items or a promise of them; null: leave the list as it is. `all`: the list was opened
 *               without typing.
 * @param fill   (item) => what stands in its option.
 * @param text   (item) => what stands in the field once it is chosen.
 * @param pick   (item) is told what was chosen.
 * @param none   () => the words for an empty list.
 * @param drawn  (ms, n) is told how long after the keystroke the suggestions were painted; may be left out.
 * @param ready  () => may Enter, or a click, choose from what is shown now? Left out: Enter waits for what is on its way.
 */
export function combobox(root, { find, fill, text, pick, none, drawn = () => {}, ready = null }) {
  const input = root.querySelector("input"), list = root.querySelector("ul");
  let items = [], active = -1, chosen = null, running = null;
  let asking = false, eager = false; // what is typed is being looked for; Enter was pressed for it

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", list.id);
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-labelledby", (root.querySelector("label").id ||= `${list.id}-label`));

  function open(is) {
    list.hidden = !is;
    input.setAttribute("aria-expanded", String(is));
    if (!is) input.removeAttribute("aria-activedescendant");
  }

  function mark(at) {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = at;
    const option = list.children[at];
    if (!option) return input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function option(item, i) {
    const li = make("li", "", ...fill(item));
    li.id = `${list.id}-${i}`;
    li.setAttribute("role", "option");
    li.setAttribute("aria-selected", "false");
    return li;
  }

  function show(found) {
    items = found;
    active = -1;
    list.replaceChildren(...found.map(option));
    if (!found.length) {
      const li = make("li", "none", none());
      li.setAttribute("role", "option");
      li.setAttribute("aria-disabled", "true");
      list.append(li);
    }
    open(true);
    const at = chosen ? found.indexOf(chosen) : -1;
    mark(at >= 0 ? at : found.length ? 0 : -1);
  }

  function stop() {
    running?.abort();
    [asking, eager] = [false, false];
  }

  async function look(all, since) {
    stop();
    running = new AbortController();
    const { signal } = running;
    asking = true;
    try {
      const found = await find(all ? "" : input.value.trim(), signal, all);
      if (signal.aborted) return;
      asking = false;
      if (!found) return open(false);
      show(found);
      if (eager && document.activeElement === input && items[active]) return choose(items[active]);
      requestAnimationFrame(() => setTimeout(() => signal.aborted || drawn(performance.now() - since, found.length)));
    } catch (e) {
      if (e.name === "AbortError") return;
      asking = false;
      open(false);
    }
  }

  function enter() {
    if (asking && !ready) eager = true;
    else if (!list.hidden && items[active] && (!ready || ready())) choose(items[active]);
  }

  function choose(item) {
    stop();
    set(item);
    open(false);
    pick(item);
  }

  function set(item) {
    chosen = item;
    input.value = item ? text(item) : "";
  }

  /** Nothing was chosen: what stood there stands there again. */
  function leave() {
    stop();
    open(false);
    if (chosen) input.value = text(chosen);
  }

  function step(by) {
    if (list.hidden) return look(chosen !== null || !input.value, performance.now());
    if (items.length) mark((active + by + items.length) % items.length);
  }

  const keys = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: enter,
    Escape: () => leave(),
  };
  input.addEventListener("keydown", event => {
    if (event.isComposing || !keys[event.key]) return;
    event.preventDefault();
    if (event.key !== "Enter" || !event.repeat) keys[event.key](); // a key that is held chooses nothing
  });
  input.addEventListener("input", event => look(false, event.timeStamp));
  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => list.hidden && (chosen || !input.value) && look(true, performance.now()));
  input.addEventListener("blur", leave);
  list.addEventListener("pointerdown", event => event.preventDefault()); // the field keeps the focus
  list.addEventListener("click", event => {
    const at = [...list.children].indexOf(event.target.closest("li"));
    if (items[at] && (!ready || ready())) choose(items[at]);
  });
  /** Nothing is chosen, and nothing is looked for any more. */
  function clear() {
    stop();
    set(null);
    open(false);
  }

  open(false);
  return { set, clear };
}
