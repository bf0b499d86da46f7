// The server's facts about itself: {version, data_version, demo_wanted, demo: {key_a, key_b, suppliers, …} or null}.

/** While the data is being loaded the server says so: ask again, for as long as a minute. */
export async function about(loading = () => {}) {
  for (let tries = 0; ; tries++) {
    const answer = await fetch("web/about.json");
    if (answer.ok) return answer.json();
    if (answer.status !== 503 || tries === 60) throw new Error(`HTTP ${answer.status}`);
    loading();
    await new Promise(on => setTimeout(on, 1000));
  }
}

/** The demo was asked for, and yet there are no keys of it: why. */
export const NOT_MADE_UP = "serve --demo gives no key here: not every supplier of this store was made up by dragoman-synth.";
