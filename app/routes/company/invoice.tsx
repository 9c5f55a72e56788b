import { data, href, Link } from "react-router";

import { formatDate, formatPenceInFull } from "../../../server/format.ts";
import { requireServices } from "../../middleware/guards.ts";
import type { Route } from "./+types/invoice.ts";
import { CompanyPage } from "./company-page.tsx";
import { collectionStates, invoiceNumber } from "./company-texts.ts";
import { requireContact } from "./contact.ts";
import buttons from "../../components/button.module.css";
import { Sheet, SheetActions, SheetFacts } from "../../components/sheet.tsx";
import styles from "./company.module.css";

/** A year has an invoice as soon as it is to be collected. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { contact } = requireContact(context);
  const { companyPage, product } = requireServices(context);
  const company = await companyPage.findView(contact.companyId);
  const collection = company?.collections.find(
    ({ period }) => invoiceNumber(company.companyId, period) === params.number,
  );
  if (!company || !collection) throw data(null, { status: 404 });
  const { period, amountInPence, state, dueAt, endsAt } = collection;
  return {
    number: params.number,
    facts: [
      { label: "From", value: product.invoiceSender },
      { label: "To", value: company.name },
      { label: "For", value: `${company.accounts.toLocaleString("en-GB")} accounts, year ${period + 1}` },
      { label: "First day", value: formatDate(dueAt) },
      { label: "Last day", value: formatDate(endsAt) },
      { label: "Paid by", value: "Direct Debit" },
      { label: "State", value: collectionStates[state] },
    ],
    amount: formatPenceInFull(amountInPence),
    contactEmail: product.companyEmail,
  };
}

/** The invoice of a year, on one sheet of paper. */
export default function Invoice({ loaderData }: Route.ComponentProps) {
  const { number, facts, amount, contactEmail } = loaderData;
  return (
    <CompanyPage title="Invoice" isSheet>
      <Sheet>
        <h1 tabIndex={-1}>Invoice {number}</h1>
        <SheetFacts className={styles.facts} facts={facts} total={{ label: "Amount", value: amount }} />
        <p>
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
