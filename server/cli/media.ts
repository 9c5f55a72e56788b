import { withServices } from "./command-context.ts";
import { type Command, type Group, refuse } from "./command.ts";

const push: Command = {
  summary: "send the files of the published content to the store at MEDIA_URL",
  options: { again: { help: "send also what is there, such as pictures that were replaced under their old address" } },
  example: "media push",
  note: "It may be broken off and run again: what is there is not sent twice. A server that runs sends what is new by itself.",
  run: (input, terminal) =>
    withServices(
      terminal,
      async ({ services: { catalogue, mediaStore } }) => {
        if (!mediaStore) return refuse("MEDIA_URL is not set: the server sends the files itself.");
        if (!mediaStore.hasKey) return refuse("S3_ACCESS_KEY_ID is not set: nothing can be sent without a key.");
        await catalogue.refresh();
        const { fault } = catalogue.status();
        if (fault !== undefined) return refuse(`The content cannot be read, so nothing was sent: ${fault}.`);
        const onSent = (key: string, bytes: number) => {
          if (!input.has("json")) terminal.complain(`${key}: ${toSize(bytes)}`);
        };
        const report = await mediaStore.push({ again: input.has("again"), onSent });
        const { files, sent, bytes, failures } = report;
        const lost = failures.map(({ key, reason }) => `${key} was not sent: ${reason}`);
        const sum = `${files} files: ${sent} sent (${toSize(bytes)}), ${files - sent - failures.length} there already, ${failures.length} failed.`;
        return { ok: failures.length === 0, text: [...lost, sum].join("\n"), json: report };
      },
      { hasContentAtOnce: true },
    ),
};

function toSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const mediaCommands: Group = {
  summary: "films, recordings and pictures in a store of their own",
  commands: { push },
};
