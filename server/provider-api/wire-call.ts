import type { z } from "zod";

/**
 * One call of the provider's API. `needs`: the key alone, or the token of the
 * member it is for as well, and of whom `active` asks for a subscription. Paths stand below `/api/`; with a slash at the end they are
 * the same. What comes `in` is the query of a GET and the JSON body of anything else.
 */
export type Call = {
  method: "GET" | "POST" | "PATCH";
  path: string;
  needs: "key" | "member" | "active";
  in: z.ZodType;
  out: z.ZodType;
  summary: string;
};
