import { data, href, Link } from "react-router";

import { formatDay, formatPenceInFull } from "../../../server/platform/format.ts";
import { listVatLines } from "../../../server/money/letterhead.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import type { Route } from "./+types/invoice.ts";
import { CompanyPage } from "./company-page.tsx";
import { collectionStates, invoiceNumber, invoiceStatus } from "./company-texts.ts";
import { requireContact } from "./contact.ts";
import buttons from "../../components/button.module.css";
import { Sheet, SheetActions } from "../../paper/sheet.tsx";

/** An invoice exists as soon as the year is to be collected. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { contact } = requireContact(context);
  const { companyPage, product } = requireServices(context);
  const company = await companyPage.findView(contact.companyId);
  const collection = company?.collections.find(
    ({ period }) => invoiceNumber(company.companyId, period) === params.number,
  );
  if (!company || !collection) throw data(null, { status: 404 });
  const { period, amountInPence, state, dueAt, endsAt } = collection;
  const { letterhead } = product;
  return {
    sheet: {
      letterhead,
      status: invoiceStatus(state, dueAt),
      facts: [
        { label: "Number", value: params.number },
        { label: "Date", value: formatDay(dueAt) },
        { label: "To", value: company.name },
        { label: "For", value: `${company.accounts.toLocaleString("en-GB")} accounts, year ${period + 1}` },
        { label: "First day", value: formatDay(dueAt) },
        { label: "Last day", value: formatDay(endsAt) },
        { label: "Paid by", value: "Direct Debit" },
        { label: "State", value: collectionStates[state] },
        ...listVatLines(letterhead, amountInPence),
      ],
      total: { label: "Amount", value: formatPenceInFull(amountInPence) },
    },
    contactEmail: product.companyEmail,
  };
}

export default function Invoice({ loaderData }: Route.ComponentProps) {
  const { sheet, contactEmail } = loaderData;
  return (
    <CompanyPage title="Invoice" isSheet>
      <Sheet title="Invoice" {...sheet}>
        <p className="sheet-note">
          Questions: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      </Sheet>
      <SheetActions>
        <Link className={buttons.quiet} to={href("/company")}>
          Back
        </Link>
      </SheetActions>
    </CompanyPage>
  );
}
