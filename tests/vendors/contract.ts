import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * A vendor's own description of its API (OpenAPI 3.1, whose schemas are JSON Schema 2020-12), as a judge of what we send and of what
 * a fake answers. Each check throws an error that names the call and what is wrong with it.
 */
export type Contract = {
  /** Checks the body of a call, or its query; answers it with numbers and booleans read from text, as forms and queries need. */
  checkRequest(call: Call, sent: unknown): unknown;
  /** Checks an answer by the status it came with; what the vendor does not list is judged as an error. */
  checkAnswer(call: Call, answer: { status: number; body: unknown }): void;
  /** Checks one object by the name of its schema. */
  checkObject(schema: string, value: unknown): void;
  /** Whether the contract knows such a call. */
  knows(call: Call): boolean;
  /** Fields that an object must have and may leave empty: the ground on which a fake builds one. */
  listNulls(schema: string): Record<string, null>;
};

/** `path` as it was asked for, without its query: `/v1/refunds/re_1`. */
export type Call = { method: string; path: string };

type Schema = { required?: string[]; properties?: Record<string, { anyOf?: { type?: string }[] }> };
type Body = { content: Record<string, { schema: Schema }> };
type Operation = { requestBody?: Body; "x-query-schema"?: Schema; responses: Record<string, Body> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

const DOCUMENT = "contract";
const NOTHING = { type: "object", additionalProperties: false };

const opened = new Map<string, Contract>();

/** A contract that lies beside this file. Its schemas are compiled when they are first needed, which takes a moment, and then kept. */
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

/** Coercion turns text into numbers and booleans, which is what it is in a form; in JSON it would hide a mistake. */
function createJudge(document: Document, isCoercing: boolean): Judge {
  // Each check runs a few times a process: code that is made sooner beats code that runs faster.
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

/** A JSON pointer, escaped for its place in a URI's fragment. */
function pointTo(...steps: string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
}

function contentType({ content }: Body): string {
  const [type] = Object.keys(content);
  if (type === undefined) throw new Error("A body without a content type");
  return type;
}

/** The described path that a real one is an instance of; a literal one before one with parameters. */
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
