// The wishes for a key, from the values of a form.
const same = (one, other) => JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());

export const LIMITS = ["requests_per_second", "adds_per_day"];

/** The values for the key: only the differences if a key is changed. [[name, value], …] */
export function wishesOf(values, key) {
  const wishes = [], isNew = !key, differs = (what, is) => (isNew ? is !== "" : is !== (key[what] ?? ""));
  for (const what of ["name", "note", "role"])
    if (values[what] !== undefined && differs(what, values[what])) wishes.push([what, values[what] || "none"]);
  for (const what of LIMITS)
    if (values[what] !== undefined && values[what] !== String(key?.[what] ?? "")) wishes.push([what, values[what] || "0"]);
  if (values.text_ids !== undefined && values.text_ids !== (key?.text_ids ?? false)) wishes.push(["text_ids", values.text_ids ? "1" : "0"]);
  const expires = (key?.expires ?? "").slice(0, 10);
  if (values.expires !== expires) wishes.push(["expires", values.expires || "never"]);
  for (const what of ["writes", "reads"]) {
    const before = (key?.[what] ?? []).map(String);
    if (values[what] === undefined || same(values[what], before)) continue;
    wishes.push(...(values[what].length ? values[what].map(id => [what, id]) : [[what, "all"]]));
  }
  return wishes;
}
