// The session of the signed-in user (docs/contract.md, "Signing in").
import { t } from "./texts.js";

/** The address of the server, from any page: this file is in its web/. */
export const root = new URL("..", import.meta.url);

/** The names of the roles for people. */
export const ROLES = { viewer: t("viewer"), curator: t("curator"), admin: t("administrator") };

export class ApiError extends Error {
  constructor(status, { reason, field, message }, retryAfter) {
    super(message);
    Object.assign(this, { status, reason, field, retryAfter });
  }
}

let written = ""; // X-Data-Version of what this page has written last

/** fetch() that reads what this page wrote, whichever of several servers answers. */
export async function ask(path, { headers, ...options }) {
  const send = () => fetch(new URL(path, root), { ...options, headers: { ...headers, ...(written && { "X-Min-Data-Version": written }) } });
  let answer = await send();
  if (answer.status === 412 && written) { // the data were restored to an earlier state since
    written = "";
    answer = await send();
  }
  if (answer.ok && options.method !== "GET") written = answer.headers.get("X-Data-Version") ?? written;
  return answer;
}

async function call(method, body, headers = {}, path = "v1/session") {
  const answer = await ask(path, {
    method, headers: { ...headers, ...(body ? { "Content-Type": "application/json" } : {}) }, body: body && JSON.stringify(body),
  });
  const { data, error } = await answer.json();
  if (!answer.ok) throw new ApiError(answer.status, error, answer.headers.get("Retry-After"));
  return data;
}

/** @returns { session: { person, role, csrf, expires, … } or null, by_proxy: does a proxy in front say who it is? } */
export const whoIsIn = () => call("GET", undefined, {}, "v1/session/who");

/** The session, or null. What changes something sends its csrf in the header X-CSRF-Token. */
export const session = async () => (await whoIsIn()).session;

/** Without a name: whom a proxy in front has signed in. */
export const signIn = (name, password) => call("POST", name === undefined ? {} : { name, password });

/** With the link of an administrator: what stands behind #link=. @returns { person } */
export const choosePassword = (link, password) => call("POST", { link, password }, {}, "v1/session/password");

export const signOut = csrf => call("DELETE", undefined, { "X-CSRF-Token": csrf });
