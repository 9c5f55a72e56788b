import type { Queries } from "../database/database.ts";
import type { BillingRequest, DebitGateway } from "../payments/debit-gateway.ts";
import { isUnpaid, listCollections } from "./collections.ts";
import { keyOfCompany } from "./company-key.ts";
import { findCompanyRow, type CompanyRow } from "./company-rows.ts";
import { isCollectable, lookAt } from "./look.ts";
import type { Standing } from "./standing.ts";

/** Where the gateway's page sends the browser when the company has agreed, and when it has not. */
export type AgreementLinks = { returnUrl: string; exitUrl: string };

export type OpenFlowResult =
  | { ok: true; authorisationUrl: string; expiresAt: Date }
  /** `already-agreed`: its mandate works, and nothing is unpaid. */
  | { ok: false; reason: "unknown-company" | "already-agreed" };

type Rooms = { db: Queries; gateway: DebitGateway; standing: Standing };

/**
 * Opens the page on which a company agrees to be collected from. What a crash has left out is made now, and what is there is used
 * (D1, D2): one billing request until it is agreed to, and another only when that agreement has come to nothing.
 */
export async function openFlow(
  companyId: number,
  links: AgreementLinks,
  { db, gateway, standing }: Rooms,
): Promise<OpenFlowResult> {
  await standing.settle(companyId);
  const company = await findCompanyRow(companyId, db);
  if (!company) return { ok: false, reason: "unknown-company" };
  const collections = await listCollections(companyId, db);
  const { mandate, request } = await lookAt({ company, collections }, gateway);
  if (isCollectable(mandate) && !collections.some(isUnpaid)) return { ok: false, reason: "already-agreed" };

  const open = request?.state === "pending" ? request : await makeRequest(company, { db, gateway });
  const flow = await gateway.openFlow({
    billingRequestId: open.id,
    companyName: company.name,
    email: company.contact_email,
    ...links,
  });
  return { ok: true, ...flow };
}

/** The key follows from the request before: however often this is cut off or done at once, there is one request after it. */
async function makeRequest(
  company: CompanyRow,
  { db, gateway }: { db: Queries; gateway: DebitGateway },
): Promise<BillingRequest> {
  const { id, name, billing_request_id: before } = company;
  const key = `${keyOfCompany(company)}:billing-request`;
  const made = await gateway.createBillingRequest({
    key: before === null ? key : `${key}:after:${before}`,
    companyId: id,
    companyName: name,
  });
  await db
    .updateTable("companies")
    .set({ billing_request_id: made.id })
    .where("id", "=", id)
    .where("billing_request_id", before === null ? "is" : "=", before)
    .execute();
  return made;
}
