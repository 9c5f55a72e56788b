import { data, href, Link } from "react-router";

import { Mark } from "../../components/page-frame.tsx";
import { QrCode } from "../desk/qr-code.tsx";
import { Sheet, SheetActions } from "../../components/sheet.tsx";
import { requestSource } from "../../context.ts";
import { requireServices } from "../../middleware/guards.ts";
import { withSearch } from "../../paths.ts";
import { drawQrCode } from "../../qr-code.ts";
import type { Route } from "./+types/poster.ts";
import { CompanyPage, useProductName } from "./company-page.tsx";
import { requireContact } from "./contact.ts";
import { CodeGroups } from "./figures.tsx";
import buttons from "../../components/button.module.css";
import styles from "./company.module.css";

/** The poster of a contact's company, or of one that has just agreed. It names no member. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const agreed = url.searchParams.get("agreed") ?? undefined;
  const company = await findCompany(context, agreed);
  const { site } = requestSource(context, url);
  const address = `${site}signup`;
  return {
    backPath: withSearch(href("/company"), { agreed }),
    company: company.name,
    code: company.code,
    address: address.replace(/^https?:\/\//, ""),
    seesAddress: `${site}company/what-your-employer-sees`.replace(/^https?:\/\//, ""),
    // Sign-up with the code filled in.
    qrCode: drawQrCode(withSearch(address, { step: 1, code: company.code })),
  };
}

async function findCompany(context: Route.LoaderArgs["context"], agreed: string | undefined) {
  const { companies, companyPage } = requireServices(context);
  const company = agreed === undefined ? undefined : await companies.findAgreed(agreed);
  if (company) return company;
  const { contact } = requireContact(context);
  const own = await companyPage.findView(contact.companyId);
  if (!own) throw data(null, { status: 404 });
  return own;
}

/** A sheet to print and put up at work: how to join, and that the employer never sees who has joined. */
export default function Poster({ loaderData }: Route.ComponentProps) {
  const { company, code, address, seesAddress, qrCode, backPath } = loaderData;
  const productName = useProductName();
  return (
    <CompanyPage title="Poster" isSheet>
      <Sheet className={styles.poster}>
        <header className={styles.posterHead}>
          <Mark />
          <p>{productName}</p>
        </header>
        <h1 tabIndex={-1}>Sleep better. {company} pays.</h1>
        <ol className={styles.steps}>
          <li>
            Open <strong>{address}</strong>
          </li>
          <li>Choose “Corporate”, and type this code:</li>
        </ol>
        <p className={styles.posterCode}>
          <CodeGroups code={code} />
        </p>
        <p>Or scan this, which fills in the code for you:</p>
        <QrCode {...qrCode} label={`QR code of ${address} with the code`} />
        <p>
          Your employer sees how many have joined, counted in fives once a month. Never who, and nothing of what you do:{" "}
          <span className={styles.address}>{seesAddress}</span>
        </p>
      </Sheet>
      <SheetActions>
        <Link className={buttons.quiet} to={backPath}>
          Back
        </Link>
      </SheetActions>
    </CompanyPage>
  );
}
