import { href, Link, redirect } from "react-router";

import { listWaiting, type Sort, type Urgency } from "../../../../server/operations/desk/waiting.ts";
import buttons from "../../../components/button.module.css";
import dormouse from "../../../components/dormouse.module.css";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { returnPath, withSearch } from "../../../frame/paths.ts";
import type { Route } from "./+types/_index.ts";
import { ActForm, LostRefusal } from "../act-form.tsx";
import { runDeskAct } from "../acts.server.ts";
import { DeskPage, MemberSearch } from "../desk-page.tsx";
import type { ScreenHandle } from "../navigation.ts";
import { findDeskCaller } from "../operator.ts";
import { type ShownWaiting, toShownWaiting } from "../health/shown-waiting.server.ts";
import { keepWhole } from "../parts/data-table.tsx";
import screen from "../screen.module.css";
import styles from "../health/today.module.css";

export const handle: ScreenHandle = { tab: "Today", order: 10, key: "t" };

export { readRetryAfter as headers } from "../../../forms/answer.ts";

/** Open matters that the operator may handle. Without a session the layout shows the log-in here. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const caller = findDeskCaller(context);
  if (!caller) return { waiting: [] };
  const path = returnPath(url);
  if (path !== undefined) throw redirect(path);
  const { role } = caller.operator;
  const sorts = await listWaiting(requireServices(context));
  const all = sorts.flatMap(({ sort, listed, hasMore }) => {
    const shown = listed.map((each) => toShownWaiting(each, role)).filter((each) => each !== undefined);
    return shown.map((each, index) =>
      Object.assign(each, { more: hasMore && index === shown.length - 1 ? sort : undefined }),
    );
  });
  const waiting = urgencies
    .map(({ urgency, title }) => ({ title, urgency, listed: all.filter((each) => each.urgency === urgency) }))
    .filter(({ listed }) => listed.length > 0);
  return { waiting };
}

const urgencies: { urgency: Urgency; title: string }[] = [
  { urgency: "now", title: "Now" },
  { urgency: "soon", title: "Soon" },
  { urgency: "later", title: "When there is time" },
];

/** Emails are the only subjects of forms here: others have their own page. */
export const action = (args: Route.ActionArgs) => runDeskAct(args, { "email list": "failed" });

export default function Today({ loaderData: { waiting } }: Route.ComponentProps) {
  const items = waiting.flatMap(({ listed }) => listed.flatMap(({ form }) => form?.item ?? []));
  return (
    <DeskPage title="Today">
      <MemberSearch />
      {(["mail resend", "mail acknowledge", "webhook retry"] as const).map((act) => (
        <LostRefusal key={act} act={act} items={items} />
      ))}
      {waiting.length === 0 && (
        <section className={`${styles.nothing} ${dormouse.asleep}`}>
          <h2>All clear</h2>
          <p>Refunds, emails, companies and codes are all fine.</p>
        </section>
      )}
      {waiting.map(({ title, urgency, listed }) => (
        <section key={title} className={screen.section}>
          <h2>{title}</h2>
          <ul className={styles.list}>
            {listed.map((each) => (
              <WaitingRow key={each.what} {...each} urgency={urgency} />
            ))}
          </ul>
        </section>
      ))}
    </DeskPage>
  );
}

const looks: Record<Urgency, string | undefined> = { now: styles.now, soon: styles.soon, later: undefined };

function WaitingRow({ urgency, what, why, form, link, more }: ShownWaiting & { more: Sort | undefined }) {
  return (
    <li className={[styles.row, looks[urgency]].filter(Boolean).join(" ")}>
      <div className={styles.words}>
        <p className={styles.what}>{keepWhole(what)}</p>
        {why && <p className={screen.note}>{why}</p>}
        {more && <Link to={listPaths[more]}>See them all</Link>}
      </div>
      {form && <ActForm {...form} look="small" />}
      {link && (
        <Link className={buttons.quiet} to={link.path}>
          {link.label}
          <span className="visually-hidden">: {what}</span>
        </Link>
      )}
    </li>
  );
}

const listPaths: Record<Sort, string> = {
  refunds: href("/desk/health"),
  gifts: href("/desk"),
  emails: href("/desk/emails"),
  webhooks: href("/desk/webhooks"),
  companies: href("/desk/companies"),
  codes: withSearch(href("/desk/codes"), { list: "codes-nearly-full" }),
  endings: withSearch(href("/desk/members"), { list: "ends-this-week" }),
  health: href("/desk/health"),
  content: href("/desk/content"),
};
