import { data, Link } from "react-router";

import { displayFullName } from "../../../../server/members/accounts/profile-fields.ts";
import { formatDate } from "../../../../server/platform/format.ts";
import { describeActs } from "../../../../server/operations/acts/acts.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/codes.$code.ts";
import { ActForm, Acts, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { cutPage, READ_SIZE, readNumber } from "../parts/paging.ts";
import { DeskPage, DeskPages, Facts, TableSection } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { requireOperator } from "../operator.ts";
import { linkTo } from "../parts/data-table.tsx";
import { memberPath, codePath } from "../parts/paths.ts";
import { toCodeLine } from "../parts/company-lines.ts";

export const handle: ScreenHandle = { tab: "Codes" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

export async function loader({ context, params, url: { searchParams } }: Route.LoaderArgs) {
  const { operator } = requireOperator(context);
  const { codes, accounts } = requireServices(context);
  const view = await codes.findView(params.code);
  if (!view) throw data(null, { status: 404 });
  const { code } = view;
  const path = codePath(code);
  const held = await codes.listHoldersPage({ code, limit: READ_SIZE, before: readNumber(searchParams, "before") });
  const { shown, nextPath } = cutPage(held, ({ memberId }) => withSearch(path, { before: memberId }));
  return {
    ...toCodeLine(view),
    acts: describeActs(operator.role, ["code extend", "code revoke", "code free-seat"]),
    isEnded: view.revokedAt !== undefined,
    endedOn: view.revokedAt && formatDate(view.revokedAt),
    products: view.products.join(", "),
    holders: await Promise.all(
      shown.map(async ({ memberId, takenAt }) => {
        const member = await accounts.findRecord(memberId);
        return {
          id: memberId,
          path: memberPath(memberId),
          label: (member && displayFullName(member)) || `Member ${memberId}`,
          email: member?.closedEmail ?? member?.email,
          since: formatDate(takenAt),
        };
      }),
    ),
    nextPath,
    firstPath: searchParams.has("before") ? path : undefined,
  };
}

type CodeData = Route.ComponentProps["loaderData"];

export const action = (args: Route.ActionArgs) => runDeskAct(args, { code: args.params.code });

export default function Code({ loaderData: code }: Route.ComponentProps) {
  const { works, state, seats, from, until, products, company, endedOn, isEnded } = code;
  return (
    <DeskPage
      title={code.code}
      state={state}
      about={
        <>
          <span>
            <span>{`${seats} seats taken`}</span>
            <CopyButton text={code.code} what="code" />
          </span>
          {company && <Link to={company.path}>{company.name}</Link>}
        </>
      }
    >
      {isEnded && <LostRefusal act="code revoke" />}
      {isEnded && <LostRefusal act="code extend" />}
      <LostRefusal act="code free-seat" items={code.holders.map(({ id }) => id)} />
      {!isEnded && <Changes {...code} />}
      <Facts
        facts={[
          ["Works now", works],
          ["Seats taken", seats],
          ["From", from],
          ["Until", until],
          ["Products", products],
          ["Company", company && linkTo(company.path, company.name)],
          ["Ended", endedOn],
        ]}
      />
      <Holders {...code} />
    </DeskPage>
  );
}

function Changes({ acts, company, until }: CodeData) {
  const only = [...(until === "for good" ? [] : ["ends"]), ...(company ? [] : ["seats"])];
  const extend = only.length > 0 ? [{ act: acts["code extend"], only }] : [];
  return (
    <>
      {extend.length === 0 && <LostRefusal act="code extend" />}
      <Acts forms={[...extend, { act: acts["code revoke"] }]} />
    </>
  );
}

function Holders({ acts, holders, firstPath, nextPath }: CodeData) {
  return (
    <TableSection
      title="Members with a seat"
      columns={["Member", "Email", "Since", "Acts"]}
      rows={holders.map(({ id, path, label, email, since }) => ({
        key: id,
        cells: [
          linkTo(path, label),
          email,
          since,
          <ActForm key="act" look="small" act={acts["code free-seat"]} item={id} words={{ member: label }} />,
        ],
      }))}
      whenEmpty="No one has a seat."
    >
      <DeskPages firstPath={firstPath} nextPath={nextPath} />
    </TableSection>
  );
}
