import { withServices } from "./command-context.ts";
import { type Command, type Group, refuse } from "./command.ts";

const push: Command = {
  summary: "send the files of the published content to the store at MEDIA_URL",
  options: {
    again: { help: "also send files that are already there, such as pictures that changed under the same address" },
  },
  example: "media push",
  note: "You can stop it and run it again: it doesn't send a file twice. A running server sends new files automatically.",
  run: (input, terminal) =>
    withServices(
      terminal,
      async ({ services: { catalogue, mediaStore } }) => {
        if (!mediaStore) return refuse("MEDIA_URL isn't set, so the server sends the files itself.");
        if (!mediaStore.hasKey) return refuse("S3_ACCESS_KEY_ID isn't set, and we can't send anything without a key.");
        await catalogue.refresh();
        const { fault } = catalogue.status();
        if (fault !== undefined) return refuse(`Nothing was sent, because we can't read the content: ${fault}.`);
        const onSent = (key: string, bytes: number) => {
          if (!input.has("json")) terminal.complain(`${key}: ${toSize(bytes)}`);
        };
        const report = await mediaStore.push({ again: input.has("again"), onSent });
        const { files, sent, bytes, failures } = report;
        const lost = failures.map(({ key, reason }) => `${key} wasn't sent: ${reason}`);
        const sum = `${files} files: ${sent} sent (${toSize(bytes)}), ${files - sent - failures.length} already there, ${failures.length} failed.`;
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
