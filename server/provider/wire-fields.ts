import { z } from "zod";

/**
 * One call of the provider's API. `needs`: the key alone, or the token of the member it is for as well, and `active` a subscription of
 * theirs. Paths are below `/api/`; a slash at the end makes no difference. `in` is the query of a GET and the JSON body of
 * anything else. `out` is our answer; `read` is the part of any provider's answer that our client needs: the fields that existing
 * servers send, and what our own API says beyond them where that is there.
 */
export type Call = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  needs: "key" | "member" | "active";
  in: z.ZodType;
  out: z.ZodType;
  read: z.ZodType;
  summary: string;
};

/** The largest number that a key of ours can be, on either engine. */
const MAX_ID = 2_147_483_647;

/** A number, or its digits: clients send both. */
export const id = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,9}$/, "must be a number")])
  .transform(Number)
  .pipe(z.int().max(MAX_ID));

/** PostgreSQL keeps no NUL in a text. */
export function text(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/, "must not hold a NUL");
}

/** Forms send booleans as words. */
export const flag = z.union([z.boolean(), z.enum(["true", "false"])]).transform((value) => String(value) === "true");

export const email = text(254);
export const password = text(1024);
export const name = text(1000);
export const code = text(200);
export const token = text(200);
/** A gateway's id, or ours in its place: of customers, payments, payment methods. */
export const reference = text(2000);
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

/** In digits in a query; counted from 1. */
const count = z.string().regex(/^[1-9]\d{0,5}$/, "must be a number from 1");

export const PER_PAGE_MAX = 100;

export const pageQuery = { page: count.transform(Number).optional(), per_page: count.transform(Number).optional() };

/** Only that it went well, in a sentence. */
export const done = z.object({ message: z.string(), data: z.object({ status: z.literal(200) }) });

/** Read of an answer that says only that it went well: whatever comes is good. */
export const anything = z.unknown();
/** Read of a text that may be missing or something else. */
export const optionalText = z.string().nullish().catch(undefined);

/** `undefined` for a text that is no instant. */
export function toInstant(value: string | null | undefined): Date | undefined {
  const instant = new Date(value ?? "");
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/**
 * Every refusal (docs/behaviour.md, The API): clients read the message from the body or from its `data`. `errors` has the sentences one by one
 * where there are several. `code` says it to programs where they can do something about it, as WordPress does: why a card was
 * declined (`insufficient-funds`), what is wrong with a code or a new password of a reset (`expired-code`, `password-short`), which of a
 * demo's card fields is wrong (`card-cvc`).
 */
export const refusal = z.object({
  code: z.string().optional(),
  message: z.string(),
  data: z.object({ message: z.string(), status: z.int() }),
  errors: z.array(z.string()).optional(),
});
