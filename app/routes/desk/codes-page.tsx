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
      <ActForm
        act="code-make"
        title="Make a code"
        button="Make the code"
        pending="Making it..."
        note="People join by it without paying, with no company behind it. A company's code is made with the company."
        fields={[
          { name: "seats", label: "Seats", hint: "How many people may join by it." },
          { name: "code", label: "Code", hint: "Leave it empty, and one is made up.", isOptional: true },
          { name: "starts", label: "First day", hint: "Such as 31/01/2027. Empty: today.", isOptional: true },
          { name: "ends", label: "Last day", hint: "Such as 31/12/2027. Empty: for good.", isOptional: true },
        ]}
      />
    </>
  );
}

export function CodePage(code: CodeScreen) {
  const { works, seats, from, until, products, company, endedOn, isEnded } = code;
  return (
    <>
      {isEnded && <LostRefusal act="code-end" />}
      {isEnded && <LostRefusal act="code-extend" />}
      <LostRefusal act="seat-free" subjects={code.holders.map(({ id }) => id)} />
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
  const ends = {
    name: "ends",
    label: "Later last day",
    hint: "A day such as 31/12/2027, or “for good”. Empty: as it is.",
    isOptional: true,
  };
  const seats = {
    name: "seats",
    label: "Seats",
    hint: "How many it has from now on. Empty: as it is.",
    isOptional: true,
  };
  const fields = [...(isForGood ? [] : [ends]), ...(hasCompany ? [] : [seats])];
  return (
    <>
      {fields.length > 0 ? (
        <ActForm
          act="code-extend"
          title="Extend the code"
          button="Extend it"
          pending="Extending it..."
          fields={fields}
        />
      ) : (
        <LostRefusal act="code-extend" />
      )}
      <ActForm
        act="code-end"
        title="End the code"
        button="End it"
        pending="Ending it..."
        note="No one can join by it any more. Members who have joined stay."
      />
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
        <ActForm
          key={id}
          act="seat-free"
          subject={id}
          title={`Free the seat of ${label}`}
          button="Free the seat"
          pending="Freeing it..."
          note="The term that this code paid for ends now. The member is told, and may go on at their own expense."
        />
      ))}
    </section>
  );
}
