import { data, redirect, type HeadersArgs } from "react-router";

type Done<Told> = { headers?: HeadersInit; told: Told };

/**
 * Answers a form that has done its work: a browser without script is sent on (303), so that a reload repeats nothing;
 * a page that posted by script stays where it is, loads what changed and is told the rest. `path` is without the base.
 */
export function answerDone<Told>(request: Request, path: string, { headers = {}, told }: Done<Told>) {
  if (isFromScript(request)) return data(told, { headers });
  return redirect(path, { status: 303, headers });
}

/** A `headers` export for routes with forms: the framework keeps an action's headers from a page unless its route asks for them. */
export function retryAfterOf({ actionHeaders }: HeadersArgs): HeadersInit {
  const wait = actionHeaders.get("Retry-After");
  return wait === null ? {} : { "Retry-After": wait };
}

/** The framework's own requests have a path that ends in `.data`. */
function isFromScript(request: Request): boolean {
  return new URL(request.url).pathname.endsWith(".data");
}
