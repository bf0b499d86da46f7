// Requests to the two APIs, with the keys of this page.

export const keys = { a: "", b: "" };

/** A failure: kind is "away" (no answer), "key" (refused) or "said" (message is of the server). */
export class ApiError extends Error {
  constructor(kind, message = "") {
    super(message);
    this.kind = kind;
  }
}

const keyHeader = path => (path.startsWith("api/") ? { "X-Api-Key": keys.a } : { "X-Service-Api-Key": keys.b });

/** A header takes no other characters. */
const sendable = key => /^[!-~]*$/.test(key);

async function send(path, options) {
  if (![keys.a, keys.b].every(sendable)) throw new ApiError("key");
  try {
    return await fetch(path, options);
  } catch (e) {
    throw e.name === "AbortError" ? e : new ApiError("away");
  }
}

/** @returns {Promise<any>} `data` of the answer. */
export async function ask(path, { signal, body } = {}) {
  const json = body && { "Content-Type": "application/json" };
  const answer = await send(path, {
    method: body ? "POST" : "GET",
    headers: { ...keyHeader(path), ...json },
    body: body && JSON.stringify(body),
    signal,
  });
  let content;
  try {
    content = await answer.json();
  } catch (e) {
    throw e.name === "AbortError" ? e : new ApiError("away");
  }
  if (answer.ok) return content.data;
  throw new ApiError(answer.status === 403 ? "key" : "said", content.error?.message ?? `HTTP ${answer.status}`);
}

/** A flag by the path of this page: the lists name it with the public address of the server, which may be another. */
export const flag = code => `flags/4x3/${/^[A-Za-z]{2}$/.test(code ?? "") ? code.toLowerCase() : "xx"}.svg`;
