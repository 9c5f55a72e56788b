import { z } from "zod";

import { mapListCalls } from "../content/items/kinds.ts";
import { type Call, type CallName, calls } from "./wire.ts";

/** JSON Schema, as far as the API uses it. */
type Schema = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  maxLength?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
};

/** Markdown with fields, types and an example of every call, from the schemas that serve it. */
export function writeReference(): string {
  const described: Described = { calls: new Map(), answers: new Map(), items: new Map() };
  const all = Object.entries<Call>(calls) as [CallName, Call][];
  return all.flatMap(([name, call]) => toSection(name, call, described)).join("\n");
}

/** The calls, long answers and items that were described: none is written out twice. */
type Described = { calls: Map<string, CallName>; answers: Map<string, CallName>; items: Map<CallName, Row[]> };

/** A shorter answer is repeated in full. */
const SHORT_ANSWER = 200;

function toSection(name: CallName, call: Call, described: Described): string[] {
  const output = toSchema(call.out, "output");
  const body = describe(toSchema(call.in, "input"));
  const answer = describe(output, described.items);
  const same = described.calls.get(`${body} ${answer}`);
  const sameAnswer = answer.length > SHORT_ANSWER ? described.answers.get(answer) : undefined;
  described.calls.set(`${body} ${answer}`, same ?? name);
  described.answers.set(answer, sameAnswer ?? name);
  if (output.type === "array" && !sameAnswer) described.items.set(name, listRows(output.items ?? {}, ""));
  const shapes = [
    ...wrap(`- ${call.method === "GET" ? "Query" : "Body"}: ${body}.`, "  "),
    ...wrap(`- Answer: ${sameAnswer ? `as that of \`${sameAnswer}\`` : answer}.`, "  "),
    ...toExample(name, call),
  ];
  return [
    `### ${name}`,
    "",
    ...wrap(`\`${call.method} /api/${call.path}\` (_${call.needs}_): ${call.summary}`),
    "",
    ...(same ? [`- As \`${same}\`.`] : shapes),
    "",
  ];
}

const LINE_LENGTH = 120;

/** Later lines begin with `indent`. */
function wrap(text: string, indent = ""): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && `${line} ${word}`.length <= LINE_LENGTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(line === undefined ? word : indent + word);
  }
  return lines;
}

function toSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io, target: "draft-2020-12" }) as Schema;
}

type Row = { field: string; type: string; isRequired: boolean };

/** Nested fields have their whole path: `billing.postcode`, `line_items[].quantity`. */
function listRows(schema: Schema, path: string): Row[] {
  const forms = (schema.oneOf ?? schema.anyOf)?.filter(({ type }) => type === "object" || type === "array");
  if (forms && forms.length > 0) return merge(forms.map((form) => listRows(form, path)));
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path === "" ? name : `${path}.${name}`;
    return [{ field: at, type: typeText(field), isRequired: required.has(name) }].concat(listRows(field, at));
  });
  if (schema.items) return listRows(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties !== "object") return fields;
  return [...fields, ...rowsWithin(schema.additionalProperties, path === "" ? "<name>" : `${path}.<name>`)];
}

/** A field of several forms is required only if each form requires it. */
function merge(forms: Row[][]): Row[] {
  const names = [...new Set(forms.flat().map(({ field }) => field))];
  return names.map((field) => {
    const rows = forms.flatMap((form) => form.filter((row) => row.field === field));
    const type = [...new Set(rows.map((row) => row.type))].join("|");
    return { field, type, isRequired: rows.length === forms.length && rows.every((row) => row.isRequired) };
  });
}

function rowsWithin(schema: Schema, path: string): Row[] {
  const rows = listRows(schema, path);
  return rows.length > 0 ? rows : [{ field: path, type: typeText(schema), isRequired: true }];
}

function describe(schema: Schema, items: Described["items"] = new Map()): string {
  const rows = listRows(schema, "");
  if (rows.length === 0) return schema.type === "object" ? "nothing" : `\`${typeText(schema)}\``;
  const isWithin = (outer: Row) => rows.some(({ field }) => field.startsWith(`${outer.field}.`));
  return shortenItems(shorten(rows), items)
    .filter((row) => row.type !== "object" || !row.isRequired || !isWithin(row))
    .map(({ field, type, isRequired }) => `\`${field}${isRequired ? "" : "?"}\` ${toShortType(type)}`.trimEnd())
    .join("; ");
}

/** Alike fields of any name are described once: `post.<name>` as `videos.<name>`. */
function shorten(rows: Row[]): Row[] {
  const prefixes = [...new Set(rows.flatMap(({ field }) => /^.*<name>(?=\.)/.exec(field) ?? []))];
  const within = (prefix: string) => rows.filter(({ field }) => field.startsWith(`${prefix}.`));
  const toShape = (prefix: string) => JSON.stringify(within(prefix)).replaceAll(`"${prefix}.`, '"');
  const [first] = prefixes;
  const alike = prefixes.filter((prefix) => first && prefix !== first && toShape(prefix) === toShape(first));
  return rows.flatMap((row) => {
    const prefix = alike.find((each) => row.field.startsWith(`${each}.`));
    if (!prefix) return [row];
    return row === within(prefix)[0] ? [{ field: prefix, type: `as \`${first}\``, isRequired: true }] : [];
  });
}

/** A field of any name that holds an item of a list which was described, and perhaps more: only what is more is written out. */
function shortenItems(rows: Row[], items: Described["items"]): Row[] {
  const [prefix] = rows.flatMap(({ field }) => /^.*<name>(?=\.)/.exec(field) ?? []);
  const own = new Map(rows.flatMap((row) => (prefix && row.field.startsWith(`${prefix}.`) ? [[row.field, row]] : [])));
  for (const [call, fields] of items) {
    const known = new Set(fields.map(({ field }) => `${prefix}.${field}`));
    if (known.size < 2 || ![...known].every((field) => own.has(field))) continue;
    const more = rows.filter(({ field }) => !known.has(field));
    return [{ field: prefix ?? "", type: `an item of \`${call}\``, isRequired: true }, ...more];
  }
  return rows;
}

/** A field without a type is a text. A type is code; what refers to another call has code of its own. */
function toShortType(type: string): string {
  const short = type.replace(/^string(?=$|\(\d+\)$)/, "");
  return short === "" || short.startsWith("(") || short.includes("`") ? short : `\`${short}\``;
}

/** As TypeScript writes it; a text has its greatest length in brackets. */
function typeText(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join("|");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join("|");
  const name = [schema.type ?? "any"].flat().join("|");
  if (schema.format === "uri") return "URL";
  if (schema.type === "array") return `${schema.items?.properties ? "object" : typeText(schema.items ?? {})}[]`;
  return schema.maxLength === undefined ? name : `${name}(${schema.maxLength})`;
}

function toExample(name: CallName, { method }: Call): string[] {
  const example = examples[name];
  if (Object.keys(example).length === 0) return [];
  const query = new URLSearchParams(Object.entries(example).map(([field, value]) => [field, String(value)]));
  const line = `- Example: \`${method === "GET" ? `?${query}` : JSON.stringify(example)}\``;
  return line.length <= LINE_LENGTH ? [line] : ["", "```", JSON.stringify(example, undefined, 1), "```"];
}

const ada = { email: "ada@example.org", password: "moss-lantern-42" };
const adaSignsUp = { first_name: "Ada", last_name: "Lovell", ...ada };

export const examples: { [Name in CallName]: z.input<(typeof calls)[Name]["in"]> } = {
  fetchCustomers: { page: "1", per_page: "100" },
  createUser: adaSignsUp,
  usersignup: adaSignsUp,
  grabuserid: { email: ada.email },
  grabtoken: ada,
  login: ada,
  getcurrentuser: { id: 1 },
  patchuser: { id: 1, last_name: "Lovell-Fenn" },
  sendemail: { name: "welcome", email: ada.email },
  getsubscriptionstatus: { id: 1 },
  managesubscriptionstatus: { id: 1, newStatus: "cancelled" },
  activatesubscription: { id: 1 },
  checkcouponvalidity: { productCode: "DORMOUSE-DEMO" },
  checkcouponproducts: { productCode: "DORMOUSE-DEMO" },
  sendcombined: {
    customer_id: 1,
    line_items: [{ product_id: 117, variation_id: 118, quantity: 1 }],
    billing: { postcode: "EX1 1AA" },
    paymentMethodId: "pm_1",
    emailVerified: true,
    returnUrl: "https://front.example.org/paid",
  },
  createstripecustomer: { email: ada.email, paymentMethodId: "pm_1" },
  createpaymentintent: { email: ada.email, planType: 1, paymentMethodId: "pm_1" },
  createpaymentmethod: {},
  createbillingrequest: { company: "1" },
  ...mapListCalls(() => ({ page: "1", per_page: "10" })),
  getallfaves: { id: 1 },
  postfave: { id: 1, mediaId: 2001, mediaType: "videos", wanted: "save" },
  resetPassword: { email: ada.email },
  validateCode: { email: ada.email, code: "123456" },
  setPassword: { ...ada, code: "123456" },
};
