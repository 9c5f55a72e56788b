import { HOUR_IN_MS, MINUTE_IN_MS } from "../clock.ts";
import type { Catalogue } from "../content/catalogue.ts";
import type { Log } from "../log.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Throttle } from "../throttle/throttle.ts";

/** What the house does by itself from time to time. Each task may run twice, or at once in two processes, without harm. */
export type Tasks = {
  run(name: TaskName): Promise<void>;
  /** Runs each task at its pace; the function it answers stops that and waits for what is running. */
  start(): () => Promise<void>;
};

export type TaskName = "refresh-catalogue" | "purge-expired";

type Task = { everyInMs: number; work(): Promise<unknown> };

type TaskRooms = { sessions: Sessions; throttle: Throttle; catalogue: Catalogue; log: Log };

export function createTasks({ sessions, throttle, catalogue, log }: TaskRooms): Tasks {
  const tasks: Record<TaskName, Task> = {
    "refresh-catalogue": { everyInMs: MINUTE_IN_MS, work: () => catalogue.refresh() },
    "purge-expired": { everyInMs: HOUR_IN_MS, work: async () => [await sessions.purge(), await throttle.purge()] },
  };

  async function run(name: TaskName): Promise<void> {
    try {
      await tasks[name].work();
    } catch (error) {
      log.error({ task: name, error }, "a task failed");
    }
  }

  return {
    run,
    start() {
      const running = new Set<Promise<void>>();
      const timers = (Object.keys(tasks) as TaskName[]).map((name) =>
        setInterval(() => {
          const work = run(name).finally(() => running.delete(work));
          running.add(work);
        }, tasks[name].everyInMs),
      );
      return async () => {
        for (const timer of timers) clearInterval(timer);
        await Promise.all(running);
      };
    },
  };
}
