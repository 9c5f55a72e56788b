/** What the mail library tells of a failure. */
type SmtpFault = { code?: string; command?: string; responseCode?: number; response?: string; message: string };

/**
 * RFC 5321 and 4954: a bad sequence of commands, and what is about logging in. They are about us and not about the letter, at
 * whichever command they are said.
 */
const ABOUT_US = new Set([503, 530, 534, 535, 538]);

/**
 * Whether a letter will not go however often it is tried: its recipient or its words were refused with a 5xx. What is wrong with the
 * connection, the log-in, the sender or a policy (RFC 3463: 5.7.x, "relay access denied" among them) can be put right, and the
 * letter then goes.
 */
export function isPermanent(error: unknown): boolean {
  const { code, command, responseCode = 0, response = "" } = toFault(error);
  const isAboutLetter = (code === "EENVELOPE" && command !== "MAIL FROM") || code === "EMESSAGE";
  return isAboutLetter && responseCode >= 500 && !ABOUT_US.has(responseCode) && !/^\d{3}[ -]5\.7\./.test(response);
}

/** What went wrong, in the server's words where it had any. */
export function sayFault(error: unknown): string {
  const { code, message, response } = toFault(error);
  if (code === "EABORT") return "The mail server did not answer in time";
  return response ? `The mail server said: ${response}` : message;
}

/** What stands behind the server's name when it is checked: what is wrong, and what to do. */
export function explainFault(error: unknown): string {
  const fault = toFault(error);
  const { code, command, responseCode } = fault;
  const words = sayFault(error).replaceAll(/\s+/g, " ");
  if (code === "EAUTH" || code === "ENOAUTH") {
    return responseCode !== undefined && responseCode >= 400 && responseCode < 500
      ? `cannot log anybody in now: ${words}. Try again later.`
      : `does not take our user and password: ${words}. Are those in SMTP_URL right, with special characters as %xx?`;
  }
  if (code === "EDNS") return `is not known by that name: ${words}. Is the host in SMTP_URL right?`;
  if (command === "STARTTLS" || code === "ETLS" || isAboutTls(fault.message)) {
    return `is not reached safely: ${words}. Does its certificate name this host, and is it smtps:// on port 465 and smtp:// on 587?`;
  }
  if (code === "ETIMEDOUT" || code === "EABORT" || words.includes("in time")) {
    return `does not answer in time: ${words}. Are host and port in SMTP_URL right, and does a firewall let them through?`;
  }
  return `takes no letters now: ${words}. Are host and port in SMTP_URL right, and does it let this machine in?`;
}

function isAboutTls(message: string): boolean {
  return /\b(?:SSL|TLS|certificate|self-signed|wrong version number)\b/i.test(message);
}

function toFault(error: unknown): SmtpFault {
  return error instanceof Error ? error : { message: String(error) };
}
