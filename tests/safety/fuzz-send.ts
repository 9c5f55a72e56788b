import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

import type { Answer, Site } from "../helpers/site.ts";
import type { Case } from "./fuzz-cases.ts";
import { expectNoFault, expectSound } from "./sound.ts";

const times = Number(process.env.FUZZ_TIMES ?? 1);

/** `FUZZ_TIMES=20` makes it twenty times as long. */
export function toRuns(count: number): { numRuns: number } {
  return { numRuns: count * times };
}

/** Sends cases to a site, and checks the rules of every answer. */
export type Sender = {
  send(given: Case): Promise<void>;
  /** By status: a fuzz that is refused at the door proves little. */
  statuses: Map<number, number>;
};

/** Between requests: the app counts attempts in windows of minutes and hours. */
const PAUSE_IN_MS = 2000;
const PLACES = 5;

export function createSender(site: Site): Sender {
  const statuses = new Map<number, number>();
  let count = 0;
  return {
    statuses,
    async send(given) {
      const what = describe(given);
      const { method, address, headers, body } = given;
      site.clock.advance(PAUSE_IN_MS);
      // An earlier failure must not be blamed on this one.
      site.log.lines.length = 0;
      const browser = site.openBrowser({ address: `203.0.113.${(count += 1) % PLACES}` });
      for (const pair of Object.entries(given.cookies)) browser.cookies.set(...pair);
      const answer = await browser.request(address, { method, headers, ...(body !== undefined && { body }) });
      expectSound(answer, { what, address });
      if (!given.isActive) expectNoContent(answer, what);
      expectNoFault(site, what);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    },
  };
}

/** Words that are only in paid content. */
const contentWords = /turn the brightness down|A moon grows|Sample text of the demo library/;

function expectNoContent({ headers, text }: Answer, what: string): void {
  const isFile = /^(?:image|video)/.test(headers.get("Content-Type") ?? "");
  if (isFile || contentWords.test(text)) expect.fail(`content is shown: ${what}`);
}

function describe({ who, method, address, body }: Case): string {
  const sent = typeof body === "string" ? body : body && Buffer.from(body).toString("latin1");
  return `${who}: ${method} ${address.slice(0, 300)} ${JSON.stringify(sent?.slice(0, 600) ?? "")}`;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** After a garbage collection, in MB. */
export function heapInMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
