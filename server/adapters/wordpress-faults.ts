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

/** `isSecure`: it was asked by HTTPS. */
type Refused = { status: number; body: unknown; path: string; isSecure: boolean };

export function explainRefusal({ body, ...refused }: Refused): WordpressRefusal {
  const code = codeOf(body);
  return new WordpressRefusal(wordsFor({ ...refused, code }), { code, status: refused.status });
}

/** `wp_is_application_passwords_supported` in WordPress. */
const PASSWORDS_NEED_HTTPS =
  ". WordPress takes application passwords over HTTPS only, unless WP_ENVIRONMENT_TYPE is “local” in its wp-config.php";

function wordsFor({ status, code, path, isSecure }: Omit<Refused, "body"> & { code: string }): string {
  if (code === "rest_no_route") {
    return `WordPress has no “${path}” in its REST API: the post type needs show_in_rest and the REST base “${path}”`;
  }
  if (status === 401 || status === 403) {
    const hint = `make a new application password and set CMS_TOKEN to “name:password”`;
    return `WordPress refuses us (${status} ${code}): ${hint}${isSecure ? "" : PASSWORDS_NEED_HTTPS}`;
  }
  if (status >= 500) return `WordPress answered ${path} with ${status}${code && ` ${code}`}: its own log says why`;
  if (status === 429) return `WordPress answered ${path} with 429: it has had too many requests`;
  if (code === "") return `WordPress answered ${path} with ${status}: is CMS_URL right, and are its permalinks on?`;
  return `WordPress answered ${path} with ${status} ${code}`;
}

/** Codes are short words with underscores; anything else is none. */
function codeOf(body: unknown): string {
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
  return typeof code === "string" && /^\w{1,60}$/.test(code) ? code : "";
}
