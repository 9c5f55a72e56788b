import { Form, href, Link } from "react-router";

import buttons from "../../../components/button.module.css";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { PlainField, Select } from "../../../forms/field.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/audit.ts";
import {
  type AuditLine,
  listActOptions,
  listAuthors,
  readAuditQuery,
  toAuditFilter,
  toAuditLine,
} from "../audit.server.ts";
import { DeskPage, DeskPages } from "../desk-page.tsx";
import { cutPage, READ_SIZE, readNumber } from "../parts/paging.ts";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import screen from "../screen.module.css";
import styles from "../audit.module.css";

export const handle: ScreenHandle = { tab: "Audit log", order: 70, key: "a" };

const TITLE = "Who did what";

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  requireOperator(context);
  const services = requireServices(context);
  const query = readAuditQuery(searchParams);
  const { filter, errors } = await toAuditFilter(services, query);
  const before = readNumber(searchParams, "before");
  const isWrong = Object.keys(errors).length > 0;
  const found = isWrong ? [] : await services.audit.list(READ_SIZE, { ...filter, before });
  const toPath = (place?: number) => withSearch(href("/desk/audit"), { ...dropEmpty(query), before: place });
  const { shown, nextPath } = cutPage(found, ({ id }) => toPath(id));
  return {
    query,
    errors,
    isFiltered: Object.values(query).some((value) => value !== ""),
    acts: listActOptions(query),
    authors: await listAuthors(services),
    entries: shown.map((entry) => toAuditLine(entry, services.dashboards.cards?.title)),
    firstPath: before === undefined ? undefined : toPath(),
    nextPath,
  };
}

function dropEmpty(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
}

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { errors, isFiltered, entries, firstPath, nextPath } = loaderData;
  const isWrong = Object.keys(errors).length > 0;
  return (
    <DeskPage title={TITLE} isRefused={isWrong}>
      <Filter {...loaderData} />
      {!isWrong && (
        <Entries entries={entries} whenEmpty={isFiltered ? "Nothing matches." : "No one has done anything yet."} />
      )}
      <DeskPages firstPath={firstPath} nextPath={nextPath} />
    </DeskPage>
  );
}

function toErrors(error: string | undefined): string[] | undefined {
  return error === undefined ? undefined : [error];
}

/** In the address, so that it can be sent, and works without script. */
function Filter({ query, errors, acts, authors, isFiltered }: Route.ComponentProps["loaderData"]) {
  const { by, act, member, from, to } = query;
  return (
    <Form action={href("/desk/audit")} role="search" className={styles.filter} key={JSON.stringify(query)}>
      <PlainField id="by" name="by" label="Who" list="authors" defaultValue={by} autoComplete="off" />
      <datalist id="authors">
        {authors.map((author) => (
          <option key={author}>{author}</option>
        ))}
      </datalist>
      <Select id="act" name="act" label="Act" defaultValue={act} options={acts} />
      <PlainField
        id="member"
        name="member"
        label="Member"
        placeholder="Number or email"
        defaultValue={member}
        errors={toErrors(errors.member)}
        autoComplete="off"
      />
      <PlainField id="from" name="from" type="date" label="From" defaultValue={from} errors={toErrors(errors.from)} />
      <PlainField id="to" name="to" type="date" label="To" defaultValue={to} errors={toErrors(errors.to)} />
      <p className={screen.buttons}>
        <button className={buttons.button}>Show</button>
        {isFiltered && (
          <Link className={buttons.quiet} to={href("/desk/audit")}>
            Clear
          </Link>
        )}
      </p>
    </Form>
  );
}

function Entries({ entries, whenEmpty }: { entries: AuditLine[]; whenEmpty: string }) {
  return (
    <DataTable
      caption={TITLE}
      columns={[{ label: "When", isWhole: true }, "Who", "Act", { label: "Member", isNumber: true }, "About", "Reason"]}
      rows={entries.map(({ id, at, operator, action, member, about, reason }) => ({
        key: id,
        cells: [at, operator, action, member && linkTo(member.path, member.id), about, reason],
      }))}
      whenEmpty={whenEmpty}
    />
  );
}
