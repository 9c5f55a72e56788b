import { answer, refuse, refuseWait } from "./answers.ts";
import type { Handler } from "./visit.ts";

export const checkcouponvalidity: Handler<"checkcouponvalidity"> = async ({ rooms, api, input }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const check = await rooms.codes.check(input.productCode);
  return answer({ valid: check.isValid, message: check.isValid ? "" : check.message });
};

export const checkcouponproducts: Handler<"checkcouponproducts"> = async ({ rooms, api, input }) => {
  const tooMany = await api.limits.countDelicate();
  if (tooMany) return refuseWait(tooMany);
  const check = await rooms.codes.check(input.productCode);
  if (!check.isValid) return refuse(400, check.message);
  // The product goes with all of its variations.
  const variations = check.code.products.includes(PRODUCT_ID) ? rooms.plans.map(({ variationId }) => variationId) : [];
  return answer({ product_ids: [...new Set([...check.code.products, ...variations])] });
};

/** The one product (spec, section 9). */
const PRODUCT_ID = 117;
