// The texts of the workbench. English stands in the code.
const tag = "en";

export const number = n => n.toLocaleString(tag);

/** An English text with its {places} filled. */
export const t = (text, fill = {}) => text.replace(/\{(\w+)\}/g, (whole, name) => (!(name in fill) ? whole
  : typeof fill[name] === "number" ? number(fill[name]) : String(fill[name])));
