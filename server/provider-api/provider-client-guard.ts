import { setTimeout as wait } from "node:timers/promises";

import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { createBreaker } from "./provider-client-breaker.ts";
import { ask, type Question, type RawAnswer } from "./provider-client-line.ts";
import { parseJson } from "./provider-client-reading.ts";
import { ProviderError, readMessage } from "./provider-client-refusal.ts";

/** A server in front of the provider says that the provider is not there. */
const AWAY = new Set([502, 503, 504]);

type Guarded = Question & { isRepeatable: boolean };

/**
 * Asks, once more where that harms nobody, and not at all while the provider is known to be away.
 * @throws {ProviderError}
 */
export function createGuard({ clock, log, pauseInMs }: { clock: Clock; log: Log; pauseInMs: number }) {
  const breaker = createBreaker(clock);

  async function tryTwice({ isRepeatable, ...question }: Guarded): Promise<RawAnswer> {
    try {
      return await tryOnce(question);
    } catch (error) {
      const mayRepeat = isRepeatable && error instanceof ProviderError && error.isUnreachable;
      if (!mayRepeat || question.signal.aborted) throw error;
      await wait(pauseInMs);
      return tryOnce(question);
    }
  }

  return async (question: Guarded): Promise<RawAnswer> => {
    if (!breaker.mayAsk()) {
      throw new ProviderError(`${question.name}: the provider did not answer lately`, { isUnreachable: true });
    }
    try {
      const answer = await tryTwice(question);
      breaker.succeeded();
      return answer;
    } catch (error) {
      breaker.failed();
      log.warn({ error }, "the provider could not be asked");
      throw error;
    }
  };
}

async function tryOnce(question: Question): Promise<RawAnswer> {
  const answer = await ask(question);
  if (AWAY.has(answer.status) && readMessage(parseJson(answer.bytes)) === undefined) {
    throw new ProviderError(`${question.name} answered ${answer.status}`, { isUnreachable: true });
  }
  return answer;
}
