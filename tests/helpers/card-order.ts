export const ada = { email: "ada@example.org", name: "Ada Lovell", postcode: "EX1 1AA", country: "GB" };

/** The first attempt at order 7: twelve months at an app below a path. */
export const order = {
  key: "order-7-attempt-1",
  orderId: 7,
  attempt: 1,
  productId: 117,
  variationId: 120,
  amountInPence: 6000,
  currency: "GBP" as const,
  description: "Dormouse, 12 months",
  email: ada.email,
  returnUrl: "http://dormouse.test/sleep/signup?step=4",
};

/** For a payer who leaves the gateway's page. */
export const cancelUrl = "http://dormouse.test/sleep/signup?step=3";
