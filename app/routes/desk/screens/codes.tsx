import { Form, href, redirect } from "react-router";

import { describeActs } from "../../../../server/operations/acts/acts.ts";
import buttons from "../../../components/button.module.css";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { PlainField } from "../../../forms/field.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/codes.ts";
import { ActForm } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { cutPage, READ_SIZE, readNumber } from "../parts/paging.ts";
import { DeskPage, DeskPages } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { Pill } from "../parts/pill.tsx";
import { requireOperator } from "../operator.ts";
import { ListChooser, readStateLists, StateList } from "../parts/state-list.tsx";
import { codePath } from "../parts/paths.ts";
import { toCodeLine } from "../parts/company-lines.ts";
import styles from "../screen.module.css";

export const handle: ScreenHandle = { tab: "Codes", order: 40, key: "o" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

/** The latest first. A typed code leads to its own screen. */
export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const typed = searchParams.get("code")?.trim();
  if (typed) throw redirect(codePath(typed));
  const services = requireServices(context);
  const { codes } = services;
  const stateLists = await readStateLists(services, searchParams, "codes");
  const found = await codes.listPage({ limit: READ_SIZE, before: readNumber(searchParams, "before") });
  const { shown, nextPath } = cutPage(found, ({ id }) => withSearch(href("/desk/codes"), { before: id }));
  return {
    codes: shown.map(toCodeLine),
    nextPath,
    isFirst: !searchParams.has("before"),
    stateLists,
    acts: describeActs(operator.role, ["code create", "list csv"]),
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function Codes({ loaderData }: Route.ComponentProps) {
  const { codes, nextPath, isFirst, stateLists, acts } = loaderData;
  return (
    <DeskPage title="Codes">
      <Form className={styles.search} role="search">
        <PlainField id="code" name="code" label="Find a code" errors={undefined} autoComplete="off" required />
        <button className={buttons.quiet}>Find it</button>
      </Form>
      <ListChooser {...stateLists} />
      {stateLists.shown ? (
        <StateList {...stateLists.shown} file={acts["list csv"]} />
      ) : (
        <>
          <DataTable
            caption="Codes"
            columns={[
              { label: "Code", isWhole: true },
              "State",
              { label: "Seats taken", isNumber: true },
              "From",
              "Until",
              "Company",
            ]}
            rows={codes.map(({ code, path, state, seats, from, until, company }) => ({
              key: code,
              cells: [
                linkTo(path, code),
                <Pill key="state" {...state} />,
                seats,
                from,
                until,
                company && linkTo(company.path, company.name),
              ],
            }))}
            whenEmpty="There are no codes."
          />
          <DeskPages firstPath={isFirst ? undefined : href("/desk/codes")} nextPath={nextPath} />
        </>
      )}
      <ActForm act={acts["code create"]} />
    </DeskPage>
  );
}
