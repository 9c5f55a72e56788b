import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";

import { createMailFiles } from "../../server/adapters/email/files.ts";
import { createSmtp } from "../../server/adapters/email/smtp.ts";
import { startSmtpSink } from "../fakes/smtp-sink.ts";
import { describeMailer, type MailerApp } from "./mailer.ts";

const sender = { from: "Dormouse <hello@dormouse.example>", replyTo: "help@dormouse.example" };

async function openFiles(): Promise<MailerApp> {
  const folder = await mkdtemp(join(tmpdir(), "dormouse-mail-"));
  return {
    mailer: createMailFiles({ folder, ...sender }),
    listRaw: async () => Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"))),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function openServer(): Promise<MailerApp> {
  const sink = await startSmtpSink();
  const mailer = createSmtp({ url: `smtp://127.0.0.1:${sink.port}`, ...sender });
  return {
    mailer,
    listRaw: async () => sink.emails.map(({ raw }) => raw),
    async [Symbol.asyncDispose]() {
      mailer.close();
      await sink.stop();
    },
  };
}

const mailers = { "in a folder": openFiles, "through a server": openServer };

describe.each(Object.entries(mailers))("mail %s", (_, open) => {
  describeMailer(open);
});
