import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * Checks requests, and a fake's answers, against a vendor's own description of its API (OpenAPI 3.1, whose schemas are
 * JSON Schema 2020-12). Each check throws an error that names the call and the mistake.
 */
export type Contract = {
  /** Checks a body or a query; answers it with numbers and booleans read from text, as in forms. */
  checkRequest(call: Call, sent: unknown): unknown;
  /** By its status; a status that the vendor does not list is checked as an error. */
  checkAnswer(call: Call, answer: { status: number; body: unknown }): void;
  checkObject(schema: string, value: unknown): void;
  knows(call: Call): boolean;
  /** Required fields that may be empty, with which a fake begins an object. */
  listNulls(schema: string): Record<string, null>;
};

/** `path` has no query: `/v1/refunds/re_1`. */
export type Call = { method: string; path: string };

type Schema = { required?: string[]; properties?: Record<string, { anyOf?: { type?: string }[] }> };
type Body = { content: Record<string, { schema: Schema }> };
type Operation = { requestBody?: Body; "x-query-schema"?: Schema; responses: Record<string, Body> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const DOCUMENT = "contract";
const NOTHING = { type: "object", additionalProperties: false };

const opened = new Map<string, Contract>();

/** A contract beside this file. Schemas are compiled at their first use. */
export function openContract(file: string): Contract {
  const contract = opened.get(file) ?? readContract(file);
  opened.set(file, contract);
  return contract;
}

function readContract(file: string): Contract {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as Document;
  const judges = { strict: createJudge(document, false), coercing: createJudge(document, true) };

  return {
    knows: (call) => findOperation(document, call) !== undefined,

    checkRequest(call, sent) {
      const { path, operation } = requireOperation(document, call);
      const method = call.method.toLowerCase();
      const place = operation.requestBody
        ? pointTo("paths", path, method, "requestBody", "content", contentType(operation.requestBody), "schema")
        : operation["x-query-schema"] && pointTo("paths", path, method, "x-query-schema");
      const read = structuredClone(sent);
      judges.coercing(place, { value: read, about: `${call.method} ${call.path}` });
      return read;
    },

    checkAnswer(call, { status, body }) {
      const { path, operation } = requireOperation(document, call);
      const isKnown = operation.responses[String(status)] !== undefined;
      const listed = isKnown ? String(status) : status < 300 ? "200" : "default";
      const response = operation.responses[listed];
      if (!response) throw new Error(`${call.method} ${call.path}: ${status} is not in the contract`);
      const content = contentType(response);
      const place = pointTo(
        "paths",
        path,
        call.method.toLowerCase(),
        "responses",
        listed,
        "content",
        content,
        "schema",
      );
      judges.strict(place, { value: body, about: `the answer ${status} to ${call.method} ${call.path}` });
    },

    listNulls(schema) {
      const { required = [], properties = {} } = document.components.schemas[schema] ?? {};
      const empty = required.filter((name) => properties[name]?.anyOf?.some(({ type }) => type === "null"));
      return Object.fromEntries(empty.map((name) => [name, null]));
    },

    checkObject(schema, value) {
      judges.strict(pointTo("components", "schemas", schema), { value, about: schema });
    },
  };
}

type Judge = (place: string | undefined, judged: { value: unknown; about: string }) => void;

/** Forms have text for numbers and booleans; in JSON coercion would hide a mistake. */
function createJudge(document: Document, isCoercing: boolean): Judge {
  // Each check runs a few times a process, so quick compilation is better than quick code.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: false, coerceTypes: isCoercing, code });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const compiled = new Map<string, ValidateFunction>();
  return (place, { value, about }) => {
    const key = place ?? "";
    const check = compiled.get(key) ?? ajv.compile(place === undefined ? NOTHING : { $ref: `${DOCUMENT}#${place}` });
    compiled.set(key, check);
    if (check(value)) return;
    throw new Error(`${about} breaks the contract: ${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`);
  };
}

/** A JSON pointer, escaped for a URI's fragment. */
function pointTo(...steps: string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
}

function contentType({ content }: Body): string {
  const [type] = Object.keys(content);
  if (type === undefined) throw new Error("A body without a content type");
  return type;
}

/** The described path of a real one; a literal path comes before one with parameters. */
function findOperation(
  { paths }: Document,
  { method, path }: Call,
): { path: string; operation: Operation } | undefined {
  const templates = Object.keys(paths).toSorted((a, b) => a.split("{").length - b.split("{").length);
  const template = templates.find((each) => toPattern(each).test(path) && paths[each]?.[method.toLowerCase()]);
  const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
  return template === undefined || !operation ? undefined : { path: template, operation };
}

function requireOperation(document: Document, call: Call) {
  const found = findOperation(document, call);
  if (!found) throw new Error(`${call.method} ${call.path} is not in the contract`);
  return found;
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
}
