/** What a company's people have, in words (spec, section 2). */
export const CORPORATE_PLAN_LABEL = "12 Month Subscription";
