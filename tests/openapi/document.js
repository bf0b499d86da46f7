// An OpenAPI document: its operations by method and path, and its schemas, closed: what a schema does not name is a fault of
// the server here, while clients are to read over it.
import fs from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const ROOT = "https://dragoman.invalid/openapi.json";

export const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

export function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) =>
    [name, name === "const" || name === "enum" || name === "required" ? value : closed(value)]));
  if (copy.type === "object" && copy.properties !== undefined && copy.additionalProperties === undefined)
    copy.additionalProperties = false;
  return copy;
}

export class Document {
  constructor(document) {
    this.document = document;
    this.ajv = new Ajv2020.default({ strict: true, strictRequired: true, allErrors: true });
    addFormats.default(this.ajv);
    this.ajv.addKeyword("components");
    this.ajv.addSchema({ $id: ROOT, components: { schemas: closed(document.components.schemas) } });
    this.compiled = new Map();
    this.routes = Object.entries(document.paths).map(([path, item]) => ({
      path, item, matches: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    }));
  }

  /** The path item of an address; one that is written out goes before one with a parameter. */
  route(address) {
    const path = address.split("?")[0];
    return this.routes.find((r) => r.path === path) ?? this.routes.find((r) => r.matches.test(path)) ??
      // An empty last segment stands for an optional parameter that was left out.
      (/[^/]\/$/.test(path) && this.routes.some((r) => r.path.startsWith(`${path}{`)) ? this.route(path.slice(0, -1)) : undefined);
  }

  resolve(value) {
    if (value?.$ref === undefined) return value;
    return value.$ref.slice(2).split("/").reduce((at, name) => at[name], this.document);
  }

  /** What is wrong with a value; an empty list where nothing is. */
  faults(schema, value) {
    const text = JSON.stringify(schema);
    if (!this.compiled.has(text)) {
      const absolute = JSON.parse(text, (name, v) => (name === "$ref" ? ROOT + v : v));
      this.compiled.set(text, this.ajv.compile(closed(absolute)));
    }
    const check = this.compiled.get(text);
    return check(value) ? [] : check.errors.map((e) => `${e.instancePath || "(whole)"} ${e.message} ${JSON.stringify(e.params)}`);
  }
}
