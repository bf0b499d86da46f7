// The reference: Swagger UI on /openapi.json, with keys from the fields above it. Nothing is asked of any other host.
import { about, NOT_MADE_UP } from "./about.js";

const fields = [...document.querySelectorAll("#keys input")];

/** Requests go where this page comes from, whatever address the document names. */
async function reference() {
  const answer = await fetch("openapi.json");
  if (!answer.ok) throw new Error(`openapi.json: HTTP ${answer.status}`);
  const spec = await answer.json();
  return { ...spec, servers: [{ url: new URL(".", location.href).href.replace(/\/$/, "") }] };
}

function schemeOf(spec, header) {
  const schemes = Object.entries(spec.components?.securitySchemes ?? {});
  return schemes.find(([, s]) => s.in === "header" && s.name?.toLowerCase() === header.toLowerCase())?.[0];
}

function authorize(ui, spec, field) {
  const scheme = schemeOf(spec, field.dataset.header);
  if (!scheme) return;
  if (field.value) ui.preauthorizeApiKey(scheme, field.value);
  else ui.authActions.logout([scheme]);
}

async function fillDemoKeys() {
  const it = await about();
  const note = document.querySelector("#said");
  if (it.demo) {
    [fields[0].value, fields[1].value] = [it.demo.key_a, it.demo.key_b];
    note.textContent = "These keys read the demo data. “Execute” works as it is.";
  } else if (it.demo_wanted) {
    note.textContent = NOT_MADE_UP;
  }
  document.querySelector("#no-key").hidden = Boolean(it.demo);
}

function start(spec) {
  const ui = SwaggerUIBundle({
    spec,
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    onComplete: () => setTimeout(() => {
      fields.forEach(field => field.value && authorize(ui, spec, field));
      // The part above the words of `reason` has just been drawn.
      document.querySelector("#reasons :target")?.scrollIntoView();
    }),
  });
  for (const field of fields) field.addEventListener("change", () => authorize(ui, spec, field));
}

function followDark() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", set);
  set();
}

document.querySelector("#keys").addEventListener("submit", event => event.preventDefault());
followDark();
try {
  const [spec] = await Promise.all([reference(), fillDemoKeys()]);
  start(spec);
} catch (e) {
  const fault = document.querySelector("#fault");
  fault.textContent = `The reference cannot be shown now: ${e.message}. Load this page again in a moment.`;
  fault.hidden = false;
}
