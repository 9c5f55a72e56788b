import { z } from "zod";

import type { Act, ActResult } from "../operations/acts/act.ts";
import { type ActName, actNames, acts, runAbout } from "../operations/acts/acts.ts";
import { type Field, optionName } from "../operations/acts/fields.ts";
import { type Subject, type SubjectName, type Subjects, subjects } from "../operations/acts/subjects.ts";
import { REASON_MAX_LENGTH } from "../operations/operators/roles.ts";
import type { Services } from "../services.ts";
import { type CommandContext, withServices } from "./command-context.ts";
import { type Answer, type Command, type Input, type Option, refuse, UsageError } from "./command.ts";

export function actCommands(group: string): Record<string, Command> {
  const names = actNames.filter((name) => name.startsWith(`${group} `) && acts[name].command);
  return Object.fromEntries(names.map((name) => [name.slice(group.length + 1), toCommand(name)]));
}

function toCommand(name: ActName): Command {
  const act: Act = acts[name];
  const { summary = "", example = "", note, isQuiet = false } = act.command ?? {};
  return {
    summary,
    words: listWords(act),
    options: listOptions(act),
    example,
    ...(note !== undefined && { note }),
    async run(input, terminal) {
      const request = readRequest(act, input);
      const reason = input.value("reason");
      return withServices(terminal, (ctx) => runActCommand(name, request, { ...ctx, reason }), { isQuiet });
    },
  };
}

/** Words and work of a command about one subject, which its word names. */
export function withSubject<Name extends SubjectName>(
  name: Name,
  work: (found: Subjects[Name], ctx: CommandContext) => Promise<Answer>,
): Required<Pick<Command, "words" | "run">> {
  return {
    words: subjectWords(name),
    async run({ words: [word = ""] }, terminal) {
      refuseMistake(name, word);
      return withServices(terminal, async (ctx) => {
        const found = await findByWord(name, ctx.services, word);
        return found === undefined ? refuse(subjects[name].missingInCommand(word)) : work(found, ctx);
      });
    },
  };
}

function findByWord<Name extends SubjectName>(name: Name, services: Services, word: string) {
  const subject: Subject<Subjects[Name]> = subjects[name];
  return subject.findByWord?.(services, word) ?? subject.find(services, word, undefined);
}

/** @throws {UsageError} where the word cannot name such a subject. */
function refuseMistake(name: SubjectName, word: string): void {
  const mistake = subjects[name].findMistake?.(word);
  if (mistake !== undefined) throw new UsageError(mistake);
}

function subjectWords(name: SubjectName): string[] {
  const { word } = subjects[name];
  return word === undefined ? [] : [word];
}

function listWords({ subject, item, fields }: Act): string[] {
  const ofFields = Object.values(fields).flatMap(({ option, value = "" }) => (option === "" ? [value] : []));
  return [...subjectWords(subject), ...(item && "words" in item ? item.words : []), ...ofFields];
}

function listOptions({ item, fields, command }: Act): Record<string, Option> {
  const own = Object.entries(fields).flatMap(([name, field]): [string, Option][] => {
    const option = optionName(name, field);
    const { value, isOptional = false } = field;
    return option === ""
      ? []
      : [[option, { help: fieldHelp(field), isRequired: !isOptional, ...(value !== undefined && { value }) }]];
  });
  const ofItem: [string, Option][] =
    item && "option" in item ? [[item.option, { help: item.help, value: item.value, isRequired: true }]] : [];
  const reason: [string, Option][] = command?.hasNoReason
    ? []
    : [["reason", { help: "why you do it, for the audit log; don't put names here", value: "TEXT", isShared: true }]];
  return Object.fromEntries([...ofItem, ...own, ...reason]);
}

/** Label and hint of a form, or the choices: "seats: how many people may join by it". */
function fieldHelp({ label, options, hint = listChoices(options) }: Field): string {
  const [what, how] = [label, hint?.replace(/\.$/, "")].map((text) => text && text[0]?.toLowerCase() + text.slice(1));
  return how === undefined ? (what ?? "") : `${what}: ${how}`;
}

function listChoices(options: Field["options"]): string | undefined {
  return options?.map(({ value }) => value).join(", ");
}

type Request = { word: string; item: string; values: object };

/** @throws {UsageError} on a value that a field refuses, before any data is opened. */
function readRequest(act: Act, input: Input): Request {
  const { subject, item, fields } = act;
  const words = [...input.words];
  const word = subjects[subject].word === undefined ? "" : (words.shift() ?? "");
  refuseMistake(subject, word);
  const named = item && ("words" in item ? words.splice(0, item.words.length).join(" ") : input.value(item.option));
  const values = Object.entries(fields).map(([name, field]) => {
    const text = readText(input, { name, field, words });
    return [name, readValue(text, { ...field, spelled: spell(name, field) })];
  });
  const reason = input.value("reason") ?? "";
  if (reason.length > REASON_MAX_LENGTH) {
    throw new UsageError(`--reason must be ${REASON_MAX_LENGTH} characters or fewer.`);
  }
  return { word, item: named ?? "", values: Object.fromEntries(values) };
}

function readText(
  input: Input,
  { name, field, words }: { name: string; field: Field; words: string[] },
): string | undefined {
  const option = optionName(name, field);
  if (option === "") return words.shift();
  return field.value === undefined ? (input.has(option) ? "yes" : undefined) : input.value(option);
}

function readValue(text: string | undefined, { schema, options, spelled }: Field & { spelled: string }): unknown {
  if (text !== undefined && options && !options.some(({ value }) => value === text)) {
    throw new UsageError(`${spelled} must be one of ${listChoices(options)}, not “${text}”.`);
  }
  const read = z.safeParse(schema, text);
  if (!read.success) throw new UsageError(`${spelled} “${text ?? ""}”: ${read.error.issues[0]?.message}`);
  return read.data;
}

/** `--seats`, `EMAIL`. */
function spell(name: string, field: Field): string {
  const option = optionName(name, field);
  return option === "" ? (field.value ?? name) : `--${option}`;
}

/** No network: the rate limits of emails count commands together. */
const ADDRESS = "127.0.0.1";

export async function runActCommand(
  name: ActName,
  { word, item, values }: Request,
  { services, config, operator, reason }: CommandContext & { reason?: string | undefined },
): Promise<Answer> {
  const act: Act = acts[name];
  const subject = subjects[act.subject];
  const found = await findByWord(act.subject, services, word);
  if (found === undefined) return refuse(subject.missingInCommand(word));
  const result = await runAbout(name, found, {
    request: { subject: word, item, values },
    source: {
      services,
      by: { operator, reason },
      site: services.site,
      address: ADDRESS,
      mailFolder: config.mail.kind === "files" ? config.mail.folder : undefined,
    },
  });
  const title = subject.title?.(found as never);
  return toAnswer(result, { act, title, json: subject.json?.(found as never) ?? {} });
}

function toAnswer(
  result: ActResult,
  { act, title, json }: { act: Act; title: string | undefined; json: object },
): Answer {
  const whole = { ...json, ...result.json };
  if (result.ok) {
    const text = result.text ?? (title === undefined ? result.message : `${title}: ${result.message}`);
    return { ok: !result.isBadNews, text, json: whole };
  }
  if (result.text !== undefined) return { ok: false, text: result.text, json: whole };
  const sentences = Object.entries(result.errors).map(([name, texts]) => {
    const field = act.fields[name];
    return field ? `${spell(name, field)}: ${texts.join(" ")}` : texts.join(" ");
  });
  return refuse(sentences.join(" "));
}
