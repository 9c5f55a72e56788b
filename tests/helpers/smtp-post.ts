import { createSmtp } from "../../server/adapters/email/smtp.ts";
import type { Mailer } from "../../server/email/mailer.ts";
import { startSmtpSink, type SmtpSink } from "../fakes/smtp-sink.ts";

/** A mail server, and our way to it. */
export type SmtpPost = AsyncDisposable & { sink: SmtpSink; mailer: Mailer };

type Way = { scheme?: string; user?: string; query?: string; limitInMs?: number };

/** `user` stands in the address as it is: `name:password`, with special characters as %xx. */
export async function openSmtpPost(
  options: Parameters<typeof startSmtpSink>[0] = {},
  { scheme = "smtp", user = "", query = "", limitInMs = 10_000 }: Way = {},
): Promise<SmtpPost> {
  const sink = await startSmtpSink(options);
  const url = `${scheme}://${user ? `${user}@` : ""}127.0.0.1:${sink.port}${query}`;
  const mailer = createSmtp({
    url,
    from: "Dormouse <hello@dormouse.example>",
    replyTo: "help@dormouse.example",
    limitInMs,
  });
  return {
    sink,
    mailer,
    async [Symbol.asyncDispose]() {
      mailer.close();
      await sink.stop();
    },
  };
}
