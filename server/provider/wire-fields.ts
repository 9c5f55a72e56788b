import { z } from "zod";

/**
 * One call of the API. `needs`: the key alone, also the member's token, or also their active subscription. Paths are
 * below `/api/`, with or without a slash at the end. `in`: the query of a GET or the JSON body. `out`: our answer.
 * `read`: the part of any provider's answer that our client needs; fields beyond those of existing servers are
 * optional.
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

/** The largest key on either engine. */
const MAX_ID = 2_147_483_647;

/** A number, or its digits: clients send both. */
export const id = z
  .union([z.int().min(1), z.string().regex(/^[1-9]\d{0,9}$/, "must be a number")])
  .transform(Number)
  .pipe(z.int().max(MAX_ID));

/** PostgreSQL stores no NUL in a text. */
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
/** A gateway's id, or ours in its place, of a customer, payment or payment method. */
export const reference = text(2000);
export const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

/** In digits in a query; counted from 1. */
const count = z.string().regex(/^[1-9]\d{0,5}$/, "must be a number from 1");

export const PER_PAGE_MAX = 100;

export const pageQuery = { page: count.transform(Number).optional(), per_page: count.transform(Number).optional() };

/** Success, in a sentence. */
export const done = z.object({ message: z.string(), data: z.object({ status: z.literal(200) }) });

/** For an answer that only confirms success. */
export const anything = z.unknown();
/** For a text that may be missing or of another type. */
export const optionalText = z.string().nullish().catch(undefined);

export function toInstant(value: string | null | undefined): Date | undefined {
  const instant = new Date(value ?? "");
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/**
 * Every refusal (docs/behaviour.md, The API): clients read the message from the body or its `data`; `errors` lists
 * several. `code` is for programs, as in WordPress: why a card was declined (`insufficient-funds`), the fault of a code
 * or new password (`expired-code`, `password-short`), the wrong field of a demo's card (`card-cvc`).
 */
export const refusal = z.object({
  code: z.string().optional(),
  message: z.string(),
  data: z.object({ message: z.string(), status: z.int() }),
  errors: z.array(z.string()).optional(),
});
