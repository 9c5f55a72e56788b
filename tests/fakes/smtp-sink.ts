import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

/** A mail server on a loopback port that stores its emails and can behave as badly as real ones. */
export type SmtpSink = AsyncDisposable & {
  port: number;
  /** Every complete email, acknowledged or not. */
  emails: SunkEmail[];
  manner: SmtpManner;
  /** The sink answers a sender once this settles. */
  awaited: Promise<void>;
  connections(): number;
  /** Breaks open connections. The same port can be used again. */
  stop(): Promise<void>;
};

export type SunkEmail = {
  /** The envelope, which decides who gets the email. */
  from: string;
  to: string[];
  mail: Email;
  raw: string;
  isSecure: boolean;
  user: string | undefined;
};

export type SmtpManner =
  | "well"
  | "refuses-recipient"
  | "refuses-email"
  | "refuses-relay"
  | "refuses-sender"
  | "greylists"
  | "is-full"
  /** Accepts the connection and is silent. */
  | "silent"
  /** Accepts the email and is silent. */
  | "hangs"
  | "resets-amid-letter"
  /** Stores the email and breaks the connection before it answers. */
  | "drops-before-yes";

type SinkOptions = {
  port?: number;
  /** TLS from the first byte. */
  isSecure?: boolean;
  /** False by default. */
  hasStartTls?: boolean;
  /** A sender must log in with it. */
  account?: { user: string; password: string };
  /** Addresses beyond ASCII; true by default. */
  knowsUtf8?: boolean;
  /** Called when it falls silent. */
  onSilence?: () => void;
};

type Habits = { breakOff: () => void; knowsUtf8: boolean; onSilence: () => void };

/** The refusal of each manner, and the refused command: codes of RFC 5321 and 3463. */
const refusals: Partial<Record<SmtpManner, { at: "sender" | "recipient" | "mail"; code: number; reply: string }>> = {
  "refuses-sender": { at: "sender", code: 550, reply: "5.1.8 Sender address rejected" },
  "refuses-recipient": { at: "recipient", code: 550, reply: "5.1.1 No such user here" },
  "refuses-relay": { at: "recipient", code: 554, reply: "5.7.1 Relay access denied" },
  greylists: { at: "recipient", code: 450, reply: "4.2.0 Greylisted, please try again in 300 seconds" },
  "refuses-email": { at: "mail", code: 554, reply: "5.6.0 Message contains invalid content" },
  "is-full": { at: "mail", code: 452, reply: "4.3.1 Insufficient system storage" },
};

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const { knowsUtf8 = true, onSilence = () => undefined } = options;
  let connections = 0;
  const sink: SmtpSink = {
    port: 0,
    emails: [],
    manner: "well",
    awaited: Promise.resolve(),
    connections: () => connections,
    stop,
    [Symbol.asyncDispose]: stop,
  };
  // The encrypted sockets: breaking those beneath them ends Node.
  const breakOff = () => {
    for (const { _socket: socket } of server.connections as Set<{ _socket: Socket }>) {
      if (socket instanceof TLSSocket) socket.destroy();
      else socket.resetAndDestroy();
    }
  };
  const server: SMTPServer = new SMTPServer({
    ...toServerOptions(options),
    ...createManners(sink, { breakOff, knowsUtf8, onSilence }),
  });
  server.on("error", () => undefined);
  server.server.on("connection", () => void (connections += 1));
  await new Promise<void>((resolve) => void server.listen(options.port ?? 0, "127.0.0.1", resolve));
  sink.port = (server.server.address() as AddressInfo).port;

  async function stop(): Promise<void> {
    breakOff();
    if (server.server.listening) await new Promise<void>((resolve) => server.close(resolve));
  }
  return sink;
}

function toServerOptions({ isSecure = false, hasStartTls = false, account, knowsUtf8 = true }: SinkOptions) {
  return {
    ...smtpCertificate,
    secure: isSecure,
    disabledCommands: [...(hasStartTls ? [] : ["STARTTLS"]), ...(account ? [] : ["AUTH"])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    hideSMTPUTF8: !knowsUtf8,
    hideENHANCEDSTATUSCODES: true,
    logger: false,
    closeTimeout: 100,
    onAuth(auth, _session, answer) {
      const isRight = auth.username === account?.user && auth.password === account?.password;
      return isRight ? answer(null, { user: auth.username }) : answer(toError(535, "5.7.8 Authentication failed"));
    },
  } satisfies SMTPServerOptions;
}

function createManners(sink: SmtpSink, { breakOff, knowsUtf8, onSilence }: Habits) {
  const refusalAt = (place: "sender" | "recipient" | "mail") => {
    const refusal = refusals[sink.manner];
    return refusal?.at === place ? toError(refusal.code, refusal.reply) : undefined;
  };
  async function take(stream: SMTPServerDataStream, session: SMTPServerSession, answer: (error?: Error) => void) {
    // A client that hangs up in the middle of an email has sent none.
    const mail = await readEmail(stream, session).catch(() => undefined);
    if (!mail) return;
    const refusal = refusalAt("mail");
    if (refusal) return answer(refusal);
    sink.emails.push(mail);
    if (sink.manner === "drops-before-yes") breakOff();
    else if (sink.manner === "hangs") onSilence();
    else answer();
  }
  return {
    onConnect(_session, answer) {
      if (sink.manner === "silent") onSilence();
      else answer();
    },
    onMailFrom(_address, _session, answer) {
      void sink.awaited.then(() => answer(refusalAt("sender")));
    },
    onRcptTo({ address }, _session, answer) {
      // The library has decoded the domain, as only a UTF-8 address has it.
      const [local = ""] = address.split("@");
      const isStrange = !knowsUtf8 && Buffer.byteLength(local) > local.length;
      answer(isStrange ? toError(553, `5.6.7 ${address} is not ASCII`) : refusalAt("recipient"));
    },
    onData(stream, session, answer) {
      if (sink.manner === "resets-amid-letter") {
        stream.once("data", breakOff).resume();
        return;
      }
      void take(stream, session, answer);
    },
  } satisfies SMTPServerOptions;
}

async function readEmail(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<SunkEmail> {
  const bytes = await buffer(stream);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom ? mailFrom.address : "",
    to: rcptTo.map(({ address }) => address),
    mail: await PostalMime.parse(bytes),
    raw: bytes.toString(),
    isSecure: session.secure,
    user: session.user,
  };
}

function toError(responseCode: number, reply: string): Error {
  return Object.assign(new Error(reply), { responseCode });
}

/**
 * For 127.0.0.1, localhost and smtp-sink.test, self-signed, valid until 2126. Made for these tests: `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=smtp-sink.test -addext
 * subjectAltName=…`
 */
export const smtpCertificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3zFJyAQdh4sBdzqH
mdNHiMkwTFpEOSNBUuQ+Hg9sbcmhRANCAATj1+9izybPxEm6SWDPqjb5UODm/kT9
lSvrnNmkw4HtwvzlV+vgz47vZKkRjb0Zt6HwnhcRtpTve2dr5RuSrRWc
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBtTCCAVugAwIBAgIUdBO3vtdpARYGVyPQETGfYn7bZkUwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc210cC1zaW5rLnRlc3QwIBcNMjYxMTIwMTY0OTM3WhgPMjEy
NjEwMjcxNjQ5MzdaMBkxFzAVBgNVBAMMDnNtdHAtc2luay50ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE49fvYs8mz8RJuklgz6o2+VDg5v5E/ZUr65zZpMOB
7cL85Vfr4M+O72SpEY29Gbeh8J4XEbaU73tna+Ubkq0VnKN/MH0wHQYDVR0OBBYE
FCBDgKJSvf22gexyeqZQFWbkIHirMB8GA1UdIwQYMBaAFCBDgKJSvf22gexyeqZQ
FWbkIHirMA8GA1UdEwEB/wQFMAMBAf8wKgYDVR0RBCMwIYIJbG9jYWxob3N0gg5z
bXRwLXNpbmsudGVzdIcEfwAAATAKBggqhkjOPQQDAgNIADBFAiBq/MvCt8WgEwVw
53W8UqPiQ2Wz1SS8JV53PxzwOuvWOwIhAOFjTJW6TvF0yve58QrleTo7TJh/WGw3
SuAN4S86IlAz
-----END CERTIFICATE-----`,
};
