/** Why WordPress could not be read, in words for operators. It never names the token. */
export class WordpressFault extends Error {
  override name = "WordpressFault";
}

/** WordPress does not answer, or not now. */
export class AwayFault extends WordpressFault {
  override name = "AwayFault";
}

/** WordPress names a refusal by a code; whoever asked may know what to make of it. */
export class WordpressRefusal extends WordpressFault {
  readonly code: string;
  readonly status: number;

  constructor(message: string, { code, status }: { code: string; status: number }) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

type Refused = { status: number; body: unknown; path: string };

export function explainRefusal({ status, body, path }: Refused): WordpressRefusal {
  const code = codeOf(body);
  return new WordpressRefusal(wordsFor({ status, code, path }), { code, status });
}

function wordsFor({ status, code, path }: { status: number; code: string; path: string }): string {
  if (code === "rest_no_route") {
    return `WordPress has no “${path}” in its REST API: the post type needs show_in_rest and the REST base “${path}”`;
  }
  if (status === 401 || status === 403) {
    return `WordPress refuses us (${status} ${code}): make a new application password and set CMS_TOKEN to “name:password”`;
  }
  if (code === "") return `WordPress answered ${path} with ${status}: is CMS_URL right, and are its permalinks on?`;
  return `WordPress answered ${path} with ${status} ${code}`;
}

/** Codes are short words with underscores; anything else is none. */
function codeOf(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "";
}
