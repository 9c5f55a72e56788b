import type { ServerResponse } from "node:http";

/**
 * How an answer goes wrong. `hang`: none ever comes. `reset`: the line is cut before anything is done, `lost`: after it was done.
 * `garbage`, `huge` and `redirect` stand where the answer would, `garbage` and `huge` after it was done.
 */
export type FaultKind = "hang" | "reset" | "lost" | "garbage" | "huge" | "redirect" | 429 | 500 | 502;

export type Fault = {
  kind: FaultKind;
  /** Which calls it hits: `POST /payments`. All when not given. */
  on?: RegExp;
  /** How many; all when not given. */
  times?: number;
  headers?: Record<string, string>;
};

/** Takes the fault that hits a call, if any. */
export function takeFault(faults: Fault[], call: string): Fault | undefined {
  const index = faults.findIndex(({ on, times = 1 }) => times > 0 && (on?.test(call) ?? true));
  const fault = faults[index];
  if (fault?.times !== undefined) faults[index] = { ...fault, times: fault.times - 1 };
  return fault;
}

/** Answers whether the fault has taken the place of doing anything. */
export function failBefore({ kind, headers = {} }: Fault, response: ServerResponse): boolean {
  if (kind === "hang") return true;
  if (kind === "reset") response.destroy();
  else if (kind === "redirect") response.writeHead(302, { Location: "/elsewhere", ...headers }).end();
  else if (kind === 502)
    response.writeHead(502, { "Content-Type": "text/html", ...headers }).end("<h1>Bad gateway</h1>");
  else if (kind === 429 || kind === 500) {
    response.writeHead(kind, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { ...troubles[kind], code: kind, request_id: "R", documentation_url: "" } }));
  } else return false;
  return true;
}

export function failAfter({ kind }: Fault, response: ServerResponse): void {
  if (kind === "garbage") response.writeHead(200, { "Content-Type": "application/json" }).end("<html>{");
  else if (kind === "huge") response.writeHead(200).end(JSON.stringify({ text: "x".repeat(2 * 1024 * 1024) }));
  else response.destroy();
}

const troubles = {
  429: {
    message: "Rate limit exceeded",
    type: "invalid_api_usage",
    errors: [{ reason: "rate_limit_exceeded", message: "Rate limit exceeded" }],
  },
  500: {
    message: "Internal server error",
    type: "gocardless",
    errors: [{ reason: "internal_server_error", message: "Internal server error" }],
  },
};
