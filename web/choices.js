// Filters that are chosen by name, while the address has the number: a supplier, a country.
import { say, showIn } from "./bench.js";
import { coverage, referenceOf, searchReference } from "./curate.js";
import { make } from "./dom.js";
import { t } from "./texts.js";

/** The suppliers, in a list to choose from. @param then  is told when they are there.
 * @returns id => its name; its number while that is not known */
export function supplierChoice(select, then) {
  const names = new Map();
  coverage({}).then(({ suppliers }) => {
    const value = select.value;
    for (const it of suppliers) names.set(it.adapter_id, it.adapter);
    select.replaceChildren(select.options[0],
      ...suppliers.map(it => Object.assign(make("option", "", it.adapter), { value: it.adapter_id })));
    showIn(select, value);
    then?.();
  }).catch(() => {}); // without them the numbers are shown
  return id => names.get(id) ?? String(id);
}

/** A field for the name of a country, in any language, beside a hidden one with its number. */
export function countryChoice(input, hidden) {
  let known = "";                   // the text that says what the number says
  let finding = null;               // what is being looked for: { text, is }
  const typedText = () => input.value.trim();

  async function find(text) {
    const { items: [found] } = await searchReference({ q: text, kind: "country", limit: 1 });
    if (!found || typedText() !== text) return false; // something else stands there by now
    hidden.value = input.dataset.of = found.id;
    input.value = known = found.name;
    return true;
  }

  async function settle(text) {
    if (text === "" || /^-?\d+$/.test(text)) [hidden.value, known] = [text, text];
    else if (!await find(text)) {
      if (typedText() === text) say(t("No country of the reference is called “{name}”.", { name: text }), true);
      return false;
    }
    return true;
  }

  return {
    /** Is a name there that nobody has looked for yet? */
    get open() { return typedText() !== known },

    /** @returns whether the number is what the text says. */
    async resolve() {
      const text = typedText();
      if (text === known) return true;
      if (finding?.text !== text) { // one key can ask twice
        const ticket = finding = { text, is: settle(text).finally(() => { if (finding === ticket) finding = null }) };
      }
      return finding.is;
    },

    /** The number has come from the address: its name is shown as soon as it is known. */
    async paint() {
      const id = hidden.value;
      if (typedText() !== known && document.activeElement === input) return; // somebody is writing
      if (id !== "" && id === input.dataset.of && typedText() === known) return;
      input.dataset.of = id;
      input.value = known = id;
      const { name } = id === "" ? {} : await referenceOf({ kind: "country", id }).catch(() => ({}));
      if (name && hidden.value === id && typedText() === known) input.value = known = name;
    },
  };
}
