import { forms } from "../../server/refusals.ts";
import { setTimeout as wait } from "node:timers/promises";

import { readWords } from "../helpers/page.ts";

/** The app's present addresses, and the requests so far. */
export type Doors = {
  /** As a load balancer would choose. */
  pick(): string;
  seen: Seen[];
  onFault?: () => void;
};

/** `status`: 0 where the connection ended. `isPlain`: it contains no text for developers. */
export type Seen = { sentAt: number; status: number; path: string; isPlain: boolean };

export type Page = { status: number; location: string | null; text: string };

/** A browser without script, whose owner tries again after a fault. */
export type Visit = {
  get(path: string): Promise<Page>;
  /** Repeats a form until it leads to `next`, or until it is answered. */
  send(path: string, fields: Record<string, string>, next?: RegExp): Promise<Page>;
  /** Reloads until the page is as it should be. */
  until(path: string, isRight: (page: Page) => boolean): Promise<Page>;
  /** The same browser at one instance. */
  at(door: string): Visit;
};

const TRIES = 120;
/** As a person waits. Nothing in this process says when another instance can answer again. */
const PAUSE_IN_MS = 250;

export function openVisit(doors: Doors, address: string, cookies = new Map<string, string>()): Visit {
  async function ask(path: string, form?: Record<string, string>): Promise<Page | undefined> {
    const door = doors.pick();
    const headers = new Headers({
      "X-Forwarded-For": address,
      Cookie: [...cookies].map((one) => one.join("=")).join("; "),
    });
    if (form) headers.set("Origin", new URL(door).origin);
    const seen: Seen = { sentAt: performance.now(), status: 0, path, isPlain: true };
    doors.seen.push(seen);
    try {
      const body = form && new URLSearchParams(form);
      const init = { headers, redirect: "manual" as const, ...(body && { method: "POST", body }) };
      const answer = await fetch(new URL(path, door), init);
      const text = await answer.text();
      for (const cookie of answer.headers.getSetCookie()) keep(cookies, cookie);
      Object.assign(seen, { status: answer.status, isPlain: answer.status < 500 || isPlainFault(text) });
      if (answer.status >= 500) doors.onFault?.();
      return { status: answer.status, location: answer.headers.get("Location"), text };
    } catch {
      return undefined;
    }
  }

  async function insist(path: string, form: Record<string, string> | undefined, isRight: (page: Page) => boolean) {
    let page: Page | undefined;
    for (let count = 0; count < TRIES; count += 1) {
      page = await ask(path, form);
      if (page && page.status < 500 && isRight(page)) return page;
      await wait(PAUSE_IN_MS);
    }
    throw new Error(`${path} stays ${page?.status} ${page?.location}: ${readWords(page?.text ?? "").slice(0, 1000)}`);
  }

  return {
    get: (path) => insist(path, undefined, () => true),
    send: (path, fields, next) => insist(path, fields, ({ location }) => !next || next.test(location ?? "")),
    until: (path, isRight) => insist(path, undefined, isRight),
    at: (door) => openVisit({ pick: () => door, seen: doors.seen }, address, cookies),
  };
}

function isPlainFault(text: string): boolean {
  return (
    readWords(text).includes(`We can't do that just now ${forms["database-away"]}`) &&
    !/postgres|ECONN|\.ts:\d/i.test(text)
  );
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split("; ");
  const [name = "", value = ""] = pair.split("=");
  if (attributes.includes("Max-Age=0")) cookies.delete(name);
  else cookies.set(name, value);
}
