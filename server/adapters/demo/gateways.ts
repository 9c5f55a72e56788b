/**
 * The payment providers of a demo, as their own pages meet them: what happens on the far side of a redirect. The product itself
 * only sees the interfaces in `payments/`; these pages exist where nothing real is configured.
 */
export type DemoGateways = {
  /** What card fields in the browser do: hand the card to the provider, get an id for it. */
  makeMethod(card: Card): Promise<{ ok: true; methodId: string } | CardRefusal>;
  /** The hosted card page of a payment. */
  findCardPage(paymentId: string): Promise<CardPage | undefined>;
  payCardPage(paymentId: string, card: Card): Promise<{ ok: true; url: string } | CardRefusal>;
  leaveCardPage(paymentId: string): Promise<{ url: string }>;
  /** The page of the payer's bank. */
  findAuthentication(paymentId: string): Promise<CardPage | undefined>;
  authenticate(paymentId: string, isComplete: boolean): Promise<{ url: string }>;
  /** The page on which a company agrees to a Direct Debit. */
  findDebitPage(flowId: string): Promise<DebitPage | undefined>;
  agreeDebit(flowId: string, bank: BankAccount): Promise<{ ok: true; url: string } | BankRefusal>;
  leaveDebit(flowId: string): Promise<{ url: string }>;
};

export type Card = { number: string; expiry: string; cvc: string };

export type CardRefusal = { ok: false; field: keyof Card; sentence: string };

/** `open`: the page waits for the payer; `over`: paid, cancelled or never asked for. */
export type CardPage = { amountInPence: number; description: string; state: "open" | "over"; returnUrl: string };

export type BankAccount = { accountHolderName: string; accountNumber: string; sortCode: string };

export type BankRefusal = { ok: false; problems: { field: keyof BankAccount; sentence: string }[] };

export type DebitPage = { companyName: string; state: "open" | "over"; returnUrl: string };
