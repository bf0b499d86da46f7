// Elements from texts. Names come from suppliers: they are text, each isolated so that its direction ends with it.

/** make("li", "name", child or text, …): texts become text nodes. */
export function make(tag, look, ...inside) {
  const box = document.createElement(tag);
  if (look) box.className = look;
  box.append(...inside.filter(x => x !== null && x !== undefined));
  return box;
}

/** A name in whatever script. */
export function name(text, look) {
  const box = make("bdi", look, text ?? "—");
  box.dir = /\p{L}/u.test(box.textContent) ? "auto" : "ltr"; // "5*" and "+1" read the same everywhere
  return box;
}

export const $ = selector => document.querySelector(selector);

export function image(src) {
  const box = document.createElement("img");
  Object.assign(box, { loading: "lazy", width: 24, height: 18, alt: "", src });
  return box;
}
