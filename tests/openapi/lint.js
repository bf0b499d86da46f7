// node lint.js DOCUMENT...: what Spectral and Redocly find in them.
import { createConfig, lint } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { read } from "./document.js";

const files = process.argv.slice(2);
let found = 0;
const say = (file, rule, message, place) => {
  found++;
  console.error(`${file}: ${rule}: ${message} (${place})`);
};

const redocly = await createConfig({ extends: ["recommended-strict"] });
const stoplight = new spectral.Spectral();
stoplight.setRuleset({ extends: [[rulesets.oas, "recommended"]] });

for (const file of files) {
  for (const p of await lint({ ref: file, config: redocly })) say(file, `redocly ${p.ruleId}`, p.message, p.location[0]?.pointer);
  for (const p of await stoplight.run(read(file))) say(file, `spectral ${p.code}`, p.message, p.path.join("."));
}
console.log(`${files.length} documents, ${found} findings`);
process.exit(found > 0 ? 1 : 0);
