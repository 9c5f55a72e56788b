export type SmtpServer = {
  host: string;
  port: number;
  credentials: { user: string; password: string } | undefined;
  tls: SmtpTls;
  connections: number;
};

/**
 * `from-start`: TLS from the first byte. `required`: STARTTLS, or nothing is sent. `if-offered`: STARTTLS where
 * offered. These three check the certificate; `unchecked` is `if-offered` without that check, for a server on this
 * machine.
 */
export type SmtpTls = "from-start" | "required" | "if-offered" | "unchecked" | "off";

/**
 * Reads `smtp://user:password@host:port` (STARTTLS, port 587) or `smtps://` (TLS from the start, port 465). Credentials
 * go to another machine only through TLS, unless `?tls=off`. `?tls=required` requires TLS without credentials too;
 * `?connections=3` limits the connections.
 * @throws {TypeError} with the mistake, and without the password.
 */
export function readSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (!url || !["smtp:", "smtps:"].includes(url.protocol)) throw new TypeError("must start with smtp:// or smtps://");
  if (url.hostname === "") throw new TypeError("names no host");
  if ((url.pathname !== "" && url.pathname !== "/") || url.hash !== "") {
    throw new TypeError("must end after the host and port: write / and # in a password as %2F and %23");
  }
  const isSecure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (isSecure ? 465 : 587),
    credentials: readCredentials(url),
    tls: readTls(url),
    connections: readConnections(url),
  };
}

const USUAL_CONNECTIONS = 8;

function readConnections(url: URL): number {
  const wanted = url.searchParams.get("connections") ?? String(USUAL_CONNECTIONS);
  if (!/^(?:[1-9]|1\d|20)$/.test(wanted)) throw new TypeError("may have from ?connections=1 to ?connections=20");
  return Number(wanted);
}

function readCredentials(url: URL): SmtpServer["credentials"] {
  if (url.username === "" && url.password === "") return undefined;
  if (url.username === "" || url.password === "")
    throw new TypeError("must have both a user and a password, or neither");
  try {
    return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw new TypeError("has a % in its user or password that must be written as %25");
  }
}

function readTls(url: URL): SmtpTls {
  const others = [...url.searchParams.keys()].filter((name) => name !== "tls" && name !== "connections");
  if (others.length > 0)
    throw new TypeError(
      `has an unknown setting “${others[0]}”: there are only tls=required, tls=off and connections=3`,
    );
  const wanted = url.searchParams.get("tls");
  if (wanted !== null && wanted !== "required" && wanted !== "off")
    throw new TypeError("may only have ?tls=required or ?tls=off");
  if (url.protocol === "smtps:") {
    if (wanted === "off") throw new TypeError("contradicts itself: smtps:// is TLS, and ?tls=off is none");
    return "from-start";
  }
  if (wanted !== null) return wanted;
  if (isThisMachine(url.hostname)) return "unchecked";
  return url.username === "" ? "if-offered" : "required";
}

function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
