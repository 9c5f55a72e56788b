import { isListName, lists as words } from "../lists/list-table.ts";
import type { Services } from "../../services.ts";
import { toCount } from "../../platform/count.ts";

/** A CSV file of the desk. Its name is in its address: `collections-12`. */
export type DeskFile = { label: string; write: () => AsyncIterable<string> };

/** A list, the collections of all companies or one, or the report about a file of members. */
export async function findDeskFile(services: Services, name: string): Promise<DeskFile | undefined> {
  const { lists, companies, memberFiles } = services;
  if (isListName(name)) return { label: words[name].label, write: () => lists.writeFile(name) };
  const [, kind, number = ""] = /^(collections|members-file)(?:-([1-9]\d{0,8}))?$/.exec(name) ?? [];
  const id = toCount(number);
  if (kind === "collections") {
    if (id !== undefined && (await companies.findName(id)) === undefined) return undefined;
    const label = id === undefined ? "Collections of all companies" : `Collections of company ${id}`;
    return { label, write: () => toParts(companies.exportCollections(id)) };
  }
  if (kind === undefined || id === undefined) return undefined;
  return { label: `Report about the file of members ${id}`, write: () => memberFiles.writeReport(id) };
}

async function* toParts(text: Promise<string>): AsyncGenerator<string, void, undefined> {
  yield await text;
}
