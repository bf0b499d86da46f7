// Cases by their key, and those that were fetched.

export const keyOf = it => `${it.adapter_id}/${it.kind}/${it.id}`;

/** The cases that were fetched last: promises, so that each is asked for once. What could not be fetched is asked for again. */
export class Cases {
  #promises = new Map();

  /** @param fetchCase  ({ adapter_id, kind, id }) => a promise of the case @param most  that are kept */
  constructor(fetchCase, most) {
    Object.assign(this, { fetchCase, most });
  }

  has(it) { return this.#promises.has(keyOf(it)) }

  get(it) {
    const key = keyOf(it), promises = this.#promises;
    if (!promises.has(key)) {
      const promise = this.fetchCase(it);
      promises.set(key, promise);
      promise.catch(() => { if (promises.get(key) === promise) promises.delete(key) });
      if (promises.size > this.most) promises.delete(promises.keys().next().value);
    }
    return promises.get(key);
  }

  set(it, known) { this.#promises.set(keyOf(it), Promise.resolve(known)) }

  drop(it) { this.#promises.delete(keyOf(it)) }

  clear() { this.#promises.clear() }
}
