import * as fc from "fast-check";
import { z } from "zod";

import { type CallName, calls } from "../../server/provider/wire.ts";
import type { Case } from "./fuzz-cases.ts";
import {
  contentType,
  hostileBytes,
  hostileJson,
  hostileName,
  hostileText,
  anyMutation,
  toHeaderText,
} from "./hostile.ts";

/** A caller of the API knows the key, tokens, and valid values of some fields. */
export type Known = { key: string; tokens: string[]; values: Record<string, unknown[]> };

const names = Object.keys(calls) as CallName[];

/** Each call's fields and permitted words, from the schemas that serve it. */
const described = new Map(names.map((name) => [name, describe(calls[name].in)]));
const allFields = [...new Set([...described.values()].flatMap(({ fields }) => fields))];
const allWords = [...new Set([...described.values()].flatMap(({ words }) => words))];

function describe(schema: z.ZodType): { fields: string[]; words: unknown[] } {
  const found: { fields: string[]; words: unknown[] } = { fields: [], words: [] };
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  JSON.stringify(json, (name, value: unknown) => {
    if (name === "properties") found.fields.push(...Object.keys(value as object));
    if (name === "enum") found.words.push(...(value as unknown[]));
    if (name === "const") found.words.push(value);
    return value;
  });
  return found;
}

/** Any input to a call, or any other path. */
export function anyApiCase(known: Known): fc.Arbitrary<Case> {
  const key = fc.oneof(
    { weight: 12, arbitrary: fc.constant(known.key) },
    { weight: 1, arbitrary: fc.oneof(hostileText, anyMutation(known.key)) },
  );
  const token = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known.tokens) },
    { weight: 1, arbitrary: fc.oneof(hostileText, ...known.tokens.map(anyMutation)) },
  );
  const heads = fc.record({ key, token, address: hostileText, isBearer: fc.boolean(), dice: fc.nat(9) }).map(toHeaders);
  return fc.constantFrom(...names).chain((name) => {
    const parts = { input: anyInput(name, known), headers: heads, dice: fc.nat(19), bytes: hostileBytes };
    return fc.record({ ...parts, type: contentType, path: hostileText }).map((sent) => toCase(name, sent));
  });
}

type Heads = { key: string; token: string; address: string; isBearer: boolean; dice: number };

function toHeaders({ key, token, address, isBearer, dice }: Heads): Record<string, string> {
  return {
    "X-Api-Key": toHeaderText(key),
    ...(dice > 0 && { Authorization: toHeaderText(isBearer ? `Bearer ${token}` : token) }),
    ...(dice > 5 && { "X-Client-Address": toHeaderText(dice > 7 ? address : `203.0.113.${dice}`) }),
  };
}

type Sent = {
  input: Record<string, unknown>;
  headers: Record<string, string>;
  dice: number;
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  path: string;
};

/** One in twenty goes to no call, some have bytes for a body, the rest are as callers send them. */
function toCase(name: CallName, { input, headers, dice, bytes, type, path }: Sent): Case {
  const { method, path: own } = calls[name];
  const place = dice === 0 ? encodeURIComponent(path.slice(0, 2000).toWellFormed()) : own;
  const address = `/api/${place}${dice === 1 ? "/" : ""}`;
  const common = { who: name, isActive: true, cookies: {}, method };
  if (method === "GET") return { ...common, address: `${address}?${toQuery(input)}`, headers };
  const body = dice < 3 ? bytes : JSON.stringify(input);
  return { ...common, address, headers: { ...headers, "Content-Type": dice < 3 ? type : "application/json" }, body };
}

/** Some fields are valid, some of another type, missing, or of other calls. */
function anyInput(name: CallName, { values }: Known): fc.Arbitrary<Record<string, unknown>> {
  const strange = fc.oneof({ weight: 3, arbitrary: hostileText }, { weight: 2, arbitrary: hostileJson(allFields) });
  const value = fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...allWords) }, { weight: 2, arbitrary: strange });
  const own = (described.get(name)?.fields ?? []).map((field) => {
    const right = values[field] ? fc.constantFrom(...values[field]) : value;
    return fc.tuple(fc.constant(field), fc.oneof({ weight: 4, arbitrary: right }, { weight: 1, arbitrary: value }));
  });
  const other = fc.tuple(fc.oneof(fc.constantFrom(...allFields), hostileName), value);
  return fc
    .tuple(
      fc.subarray(own, { minLength: Math.max(0, own.length - 2) }).chain((chosen) => fc.tuple(...chosen)),
      fc.array(other, { maxLength: 2 }),
    )
    .map(([mine, others]) => Object.fromEntries([...mine, ...others]));
}

function toQuery(input: Record<string, unknown>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === "string" ? value : (JSON.stringify(value) ?? ""),
    ]),
  );
}
