import { Form, Link } from "react-router";

import { PlainField } from "../../forms/field.tsx";
import buttons from "../../components/button.module.css";
import { DataTable } from "../../components/data-table.tsx";
import { ActForm, LostRefusal } from "./act-form.tsx";
import type { CodeScreen, CodesScreen } from "./codes.ts";
import { DeskPages, Facts } from "./desk-layout.tsx";
import styles from "./desk.module.css";
import { deskPath } from "./view.ts";

export function CodesPage({ codes, nextPath, isFirst }: CodesScreen) {
  return (
    <>
      <Form className={styles.search} role="search">
        <input type="hidden" name="view" value="code" />
        <PlainField id="code" name="code" label="Find a code" errors={undefined} autoComplete="off" required />
        <button className={buttons.quiet}>Find it</button>
      </Form>
      <DataTable
        caption="Codes"
        columns={[
          { label: "Code", isWhole: true },
          "Works now",
          { label: "Seats taken", isNumber: true },
          "From",
          "Until",
          "Company",
        ]}
        rows={codes.map(({ code, path, works, seats, from, until, company }) => ({
          key: code,
          cells: [
            <Link key="code" to={path}>
              {code}
            </Link>,
            works,
            seats,
            from,
            until,
            company && (
              <Link key="company" to={company.path}>
                {company.name}
              </Link>
            ),
          ],
        }))}
        whenEmpty="There are no codes."
      />
      <DeskPages firstPath={isFirst ? undefined : deskPath("codes")} nextPath={nextPath} />
      <ActForm act="code create" />
    </>
  );
}

export function CodePage(code: CodeScreen) {
  const { works, seats, from, until, products, company, endedOn, isEnded } = code;
  return (
    <>
      {isEnded && <LostRefusal act="code revoke" />}
      {isEnded && <LostRefusal act="code extend" />}
      <LostRefusal act="code free-seat" items={code.holders.map(({ id }) => id)} />
      <Facts
        facts={[
          ["Works now", works],
          ["Seats taken", seats],
          ["From", from],
          ["Until", until],
          ["Products", products],
          [
            "Company",
            company && (
              <Link key="company" to={company.path}>
                {company.name}
              </Link>
            ),
          ],
          ["Ended", endedOn],
        ]}
      />
      {!isEnded && <Changes hasCompany={company !== undefined} until={until} />}
      <Holders {...code} />
    </>
  );
}

function Changes({ hasCompany, until }: { hasCompany: boolean; until: string }) {
  const isForGood = until === "for good";
  const fields = [...(isForGood ? [] : ["ends"]), ...(hasCompany ? [] : ["seats"])];
  return (
    <>
      {fields.length > 0 ? <ActForm act="code extend" only={fields} /> : <LostRefusal act="code extend" />}
      <ActForm act="code revoke" />
    </>
  );
}

function Holders({ holders, firstPath, nextPath }: CodeScreen) {
  return (
    <section className={styles.section}>
      <h2>Members on its seats</h2>
      <DataTable
        caption="Members on its seats"
        columns={["Member", "Email", "Since"]}
        rows={holders.map(({ id, path, label, email, since }) => ({
          key: id,
          cells: [
            <Link key="member" to={path}>
              {label}
            </Link>,
            email,
            since,
          ],
        }))}
        whenEmpty="No one has a seat."
      />
      <DeskPages firstPath={firstPath} nextPath={nextPath} />
      {holders.map(({ id, label }) => (
        <ActForm key={id} act="code free-seat" item={id} words={{ member: label }} />
      ))}
    </section>
  );
}
