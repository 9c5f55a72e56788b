import { type ActionFunctionArgs, data, redirect } from "react-router";

import type { CatalogueStatus } from "../../../server/content/catalogue.ts";
import { itemKinds, kinds } from "../../../server/content/kinds.ts";
import { askEveryPart, type Finding, sayFinding, takeStock } from "../../../server/desk/health.ts";
import { formatDateTime } from "../../../server/format.ts";
import { sayDoer, sayDuration, sayPace } from "../../../server/jobs/rules.ts";
import type { Services } from "../../../server/services.ts";
import { refuse, sayOfForm } from "../../forms/answer.ts";
import { tooMany, tooSoon } from "../../forms/messages.ts";
import { requireServices } from "../../middleware/guards.ts";
import { pathOf } from "../../paths.ts";
import type { DeskAnswer } from "./acts.ts";
import { findVisitor } from "./operator.ts";
import { deskPath } from "./view.ts";

/** How each part is: the overview, the jobs and the catalogue. */

export type ShownFinding = { part: string; state: Finding["state"]; says: string; listPath: string | undefined };

export async function findHealthScreen(services: Services) {
  const findings = (await takeStock(services)).map(toShown);
  return { name: "health" as const, title: "Health", findings };
}

export type HealthScreen = Awaited<ReturnType<typeof findHealthScreen>>;

/** The list of what a finding counts, by its part. */
const lists: Record<string, string> = {
  catalogue: deskPath("catalogue"),
  content: deskPath("catalogue"),
  jobs: deskPath("jobs"),
  emails: deskPath("emails"),
  mail: deskPath("emails", { state: "waiting" }),
  "webhook events": deskPath("webhooks"),
};

function toShown(finding: Finding): ShownFinding {
  const { part, state } = finding;
  return { part, state, says: sayFinding(finding, "desk"), listPath: lists[part] };
}

/** Asks every part how it is. It changes nothing, so it needs no reason. */
export async function askParts(_: FormData, { context, url }: ActionFunctionArgs) {
  const services = requireServices(context);
  const visitor = findVisitor(context);
  if (!visitor) return redirect(pathOf(url), { status: 303 });
  const wait = await services.operators.countAct(visitor.operator.id);
  if (wait) return refuse("ask-parts", sayOfForm(tooMany(wait.waitInMs)), tooSoon(wait.waitInMs));
  const findings = (await askEveryPart(services)).map(toShown);
  const message = `Every part was asked on ${formatDateTime(services.clock())}.`;
  return data<DeskAnswer>({ form: "ask-parts", message, findings });
}

export async function findJobsScreen({ jobs }: Services) {
  const all = await jobs.list();
  return {
    name: "jobs" as const,
    title: "Jobs",
    jobs: all.map(({ name, everyInMs, isShared, lastRunAt, lastRun, lastFailure }) => ({
      name,
      pace: sayPace(everyInMs),
      doer: sayDoer(isShared),
      begunAt: lastRunAt && formatDateTime(lastRunAt),
      run: lastRun && `${lastRun.result} in ${sayDuration(lastRun.tookInMs)}`,
      hasFailed: lastRun?.result === "failed",
      failure: lastFailure && `${formatDateTime(lastFailure.at)}: ${lastFailure.error}`,
    })),
  };
}

export type JobsScreen = Awaited<ReturnType<typeof findJobsScreen>>;

/** More than an operator reads through; the command lists all. */
const MOST_LISTED = 200;

export function findCatalogueScreen({ catalogue }: Services) {
  const { source, counts, readAt, isStale, fault, skipped, losses } = catalogue.status();
  return {
    name: "catalogue" as const,
    title: "Catalogue",
    source,
    counts: itemKinds.map((kind) => ({ label: `${kinds[kind].one}s`, count: counts[kind] })),
    readAt: readAt && formatDateTime(readAt),
    isStale,
    fault,
    skipped: skipped.slice(0, MOST_LISTED),
    losses: losses.slice(0, MOST_LISTED).map(toLostItem),
    skippedCount: skipped.length,
    lossesCount: losses.length,
  };
}

export type CatalogueScreen = ReturnType<typeof findCatalogueScreen>;

function toLostItem({ kind, id, title, losses }: CatalogueStatus["losses"][number]) {
  const parts = losses.map(({ what, why, count }) => `${count > 1 ? `${count} × ` : ""}${what}: ${why}`);
  return { key: `${kind}-${id}`, item: `${kinds[kind].one} ${id}`, title, parts };
}
