// From a key to what it shows: window.took gets { key, ms } for each key after which something in the box was drawn.

export const watchPaint = (page, box) => page.evaluate(box => {
  window.took = [];
  let from = 0, key = "";
  addEventListener("keydown", event => { [from, key] = [performance.now(), event.key] }, true);
  new MutationObserver(() => {
    if (from === 0) return;
    const began = from, pressed = key;
    from = 0;
    requestAnimationFrame(() => setTimeout(() => window.took.push({ key: pressed, ms: performance.now() - began })));
  }).observe(document.querySelector(box), { childList: true });
}, box);

export const painted = page => page.evaluate(() => window.took);

/** The value that so many per cent of them do not exceed. */
export const percentile = (list, percent) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor((list.length * percent) / 100))];
