import { DAY_IN_MS } from "../../platform/clock.ts";
import type { Context } from "../../context.ts";
import { createSignedIds, type SignedIds } from "../../platform/seal.ts";
import type { BillingRequest } from "../payments/debit-gateway.ts";
import { isUnpaid, listCollections } from "./collections.ts";
import { type CompanyRow, findCompanyRow, keyOfCompany } from "./company.ts";
import { type CompaniesContext, isCollectable, lookUpCompany, settleCompany } from "./company-status.ts";

/**
 * Where the gateway's page sends the browser after the agreement, or without it. With a `site` both are pages of ours;
 * the token of `findAgreed` is appended to `returnUrl`.
 */
export type AgreementLinks = { returnUrl: string; exitUrl: string; site?: string };

export type OpenFlowResult =
  | { ok: true; authorisationUrl: string; expiresAt: Date }
  /** `already-agreed`: its mandate works, and nothing is unpaid. */
  | { ok: false; reason: "unknown-company" | "already-agreed" };

/**
 * Opens the page of a company's agreement. It makes what a crash has left out and uses what exists (D1, D2): there is
 * one billing request until the company agrees, and another only after that agreement is no longer valid.
 */
export async function openFlow(
  ctx: CompaniesContext,
  { companyId, links }: { companyId: number; links: AgreementLinks },
): Promise<OpenFlowResult> {
  const { db, gateway } = ctx;
  await settleCompany(ctx, { companyId });
  const company = await findCompanyRow(db, companyId);
  if (!company) return { ok: false, reason: "unknown-company" };
  const collections = await listCollections(db, companyId);
  const { mandate, request } = await lookUpCompany(gateway, { company, collections });
  if (isCollectable(mandate) && !collections.some(isUnpaid)) return { ok: false, reason: "already-agreed" };

  const open = request?.state === "pending" ? request : await makeRequest(ctx, company);
  const flow = await gateway.openFlow({
    billingRequestId: open.id,
    companyName: company.name,
    email: company.contactEmail,
    ...links,
    ...(links.site !== undefined && { returnUrl: links.returnUrl + agreementTokens(ctx).make(companyId) }),
  });
  return { ok: true, ...flow };
}

/** Long enough to read the page again; by then the contact has logged in to the company's page. */
const AGREEMENT_TOKEN_LIFE_IN_MS = 30 * DAY_IN_MS;

/** Tokens of the page after the agreement. */
export function agreementTokens({ clock, keyedHash }: Context): SignedIds {
  return createSignedIds(keyedHash("company agreement"), { clock, lifeInMs: AGREEMENT_TOKEN_LIFE_IN_MS });
}

/**
 * The key derives from the previous request, so there is one next request, however often this is interrupted or runs at
 * once.
 */
async function makeRequest({ db, gateway }: CompaniesContext, company: CompanyRow): Promise<BillingRequest> {
  const { id, name, billingRequestId: before } = company;
  const key = `${keyOfCompany(company)}:billing-request`;
  const made = await gateway.createBillingRequest({
    key: before === null ? key : `${key}:after:${before}`,
    companyId: id,
    companyName: name,
  });
  await db
    .updateTable("companies")
    .set({ billingRequestId: made.id })
    .where("id", "=", id)
    .where("billingRequestId", before === null ? "is" : "=", before)
    .execute();
  return made;
}
