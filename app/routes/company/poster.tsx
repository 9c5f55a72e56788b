import { data, href, Link } from "react-router";

import { CopyButton } from "../desk/parts/copy-button.tsx";
import { CodeSheet } from "../../paper/code-sheet.tsx";
import { SheetActions } from "../../paper/sheet.tsx";
import { requestSource } from "../../frame/context.ts";
import { requireServices } from "../../frame/middleware/guards.ts";
import { withSearch } from "../../frame/paths.ts";
import { drawQrCode } from "../../paper/qr-code.ts";
import type { Route } from "./+types/poster.ts";
import { CompanyPage, useProductName } from "./company-page.tsx";
import { requireContact } from "./contact.ts";
import buttons from "../../components/button.module.css";
import styles from "./company.module.css";

/** For a contact, or a company that has just agreed. It names no member. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const agreed = url.searchParams.get("agreed") ?? undefined;
  const company = await findCompany(context, agreed);
  const { site } = requestSource(context, url);
  const address = `${site}signup`;
  const link = withSearch(address, { step: 1, code: company.code });
  return {
    backPath: withSearch(href("/company"), { agreed }),
    company: company.name,
    code: company.code,
    address: address.replace(/^https?:\/\//, ""),
    seesAddress: `${site}company/what-your-employer-sees`.replace(/^https?:\/\//, ""),
    link,
    qrCode: drawQrCode(link),
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

/** To print and put up at work. */
export default function Poster({ loaderData }: Route.ComponentProps) {
  const { company, code, address, seesAddress, qrCode, backPath, link } = loaderData;
  const productName = useProductName();
  return (
    <CompanyPage title="Poster" isSheet>
      <CodeSheet
        title={
          <>
            Sleep better. <span>{company} pays.</span>
          </>
        }
        how=", choose “Corporate”,"
        {...{ productName, code, address, qrCode }}
        foot={
          <p>
            Once a month your employer sees roughly how many people have joined. It never sees who, or what you do here:{" "}
            {seesAddress}
          </p>
        }
      >
        <p>Scan this with your phone to join:</p>
      </CodeSheet>
      <SheetActions>
        <Link className={buttons.quiet} to={backPath}>
          Back
        </Link>
      </SheetActions>
      <IntranetText text={intranetText({ company, productName, code, address, link, seesAddress })} />
    </CompanyPage>
  );
}

/** For an intranet or an email. Without script one selects and copies it by hand. */
function IntranetText({ text }: { text: string }) {
  return (
    <section className={styles.intranet} aria-labelledby="intranet">
      <h2 id="intranet">For your intranet</h2>
      <p>
        The same as text, for a web page or an email: <CopyButton text={text} what="text" />
      </p>
      <textarea className={styles.intranetText} aria-labelledby="intranet" readOnly rows={12} defaultValue={text} />
    </section>
  );
}

type Words = Record<"company" | "productName" | "code" | "address" | "link" | "seesAddress", string>;

function intranetText({ company, productName, code, address, link, seesAddress }: Words): string {
  return [
    `Sleep better. ${company} pays.`,
    `${productName} is for people who sleep badly, with films, articles, webinars and sounds for the night. ${company} has paid for a year for you.`,
    `Join here, with your code filled in: ${link}`,
    `Or open ${address}, choose “Corporate”, and type the code ${code}.`,
    `${company} sees roughly how many people have joined, once a month. It never sees who, or what you do here: ${seesAddress}`,
  ].join("\n\n");
}
