import { href } from "react-router";

import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { DataTable, linkTo } from "../parts/data-table.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/companies.ts";
import { ActForm } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { cutPage, READ_SIZE, readNumber } from "../parts/paging.ts";
import { DeskPage, DeskPages } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { Pill } from "../parts/pill.tsx";
import { requireOperator } from "../operator.ts";
import { ListChooser, readStateLists, StateList } from "../parts/state-list.tsx";
import { toCompanyLine } from "../parts/company-lines.ts";

export const handle: ScreenHandle = { tab: "Companies", order: 30, key: "c" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

export async function loader({ context, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const services = requireServices(context);
  const { companies } = services;
  const stateLists = await readStateLists(services, searchParams, "companies");
  const found = await companies.listPage({ limit: READ_SIZE, after: readNumber(searchParams, "after") });
  const { shown, nextPath } = cutPage(found, ({ id }) => withSearch(href("/desk/companies"), { after: id }));
  return {
    companies: shown.map(toCompanyLine),
    nextPath,
    isFirst: !searchParams.has("after"),
    stateLists,
    acts: describeActs(operator.role, ["company create", "list csv"]),
  };
}

export const action = (args: Route.ActionArgs) => runDeskAct(args, {});

export default function Companies({ loaderData }: Route.ComponentProps) {
  const { companies, nextPath, isFirst, stateLists, acts } = loaderData;
  return (
    <DeskPage title="Companies">
      <ListChooser {...stateLists} />
      {stateLists.shown ? (
        <StateList {...stateLists.shown} file={acts["list csv"]} />
      ) : (
        <>
          <DataTable
            caption="Companies"
            columns={[
              "Company",
              "State",
              { label: "Code", isWhole: true },
              { label: "Seats taken", isNumber: true },
              { label: "A year", isNumber: true },
              "Live since",
            ]}
            rows={companies.map(({ path, name, state, code, seats, price, liveSince }) => ({
              key: path,
              cells: [
                linkTo(path, name),
                <Pill key="state" {...state} />,
                linkTo(code.path, code.text),
                seats,
                price,
                liveSince,
              ],
            }))}
            whenEmpty="There are no companies."
          />
          <DeskPages firstPath={isFirst ? undefined : href("/desk/companies")} nextPath={nextPath} />
        </>
      )}
      <ActForm act={acts["company create"]} />
      <ActForm act={acts["list csv"]} item="collections" words={{ what: "the collections of all companies" }} />
    </DeskPage>
  );
}
