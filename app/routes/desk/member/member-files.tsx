import { type ActionFunctionArgs, href, Link, useActionData } from "react-router";

import { formatDateTime } from "../../../../server/platform/format.ts";
import type { ShownAct } from "../../../../server/operations/acts/acts.ts";
import type { MemberFileView } from "../../../../server/operations/moving/member-files.ts";
import type { Operator } from "../../../../server/operations/operators/operators.ts";
import { hasRole, REASON_MAX_LENGTH } from "../../../../server/operations/operators/roles.ts";
import { desk as table } from "../../../../server/refusals.ts";
import type { Services } from "../../../../server/services.ts";
import { refuse, toFormResult } from "../../../forms/answer.ts";
import { PlainField, Select, TextArea } from "../../../forms/field.tsx";
import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { tooMany, tooSoon } from "../../../forms/messages.ts";
import { readText } from "../../../forms/read-text.ts";
import { requireServices } from "../../../frame/middleware/guards.ts";
import { withSearch } from "../../../frame/paths.ts";
import { ActForm, RefusalBox } from "../act-form.tsx";
import type { DeskAnswer } from "../acts.server.ts";
import { redirectWithFlash } from "../cookies.ts";
import { DataTable } from "../parts/data-table.tsx";
import { requireOperator } from "../operator.ts";
import styles from "../screen.module.css";

/** Imports of another product's members, for owners. */

export const MEMBERS_FILE = "members-file";
const FILES_SHOWN = 10;
/** The form's body has at most 6 MiB (`server/platform/http/request-body.ts`), with its other fields. */
const MAX_BYTES = 6 * 1024 * 1024 - 16 * 1024;
const importPath = () => withSearch(href("/desk/members"), { import: "file" });

const choices = [
  { value: "rehearse", label: "Show me what would happen" },
  { value: "bring", label: "Import the members" },
  { value: "mail", label: "Import them, and email each" },
];

/** Empty for operators without the right; `isOpen`: from the address. */
export async function readMemberFiles(services: Services, operator: Operator, searchParams: URLSearchParams) {
  if (!hasRole(operator.role, "owner") || !services.capabilities.holdsAll) return undefined;
  if (!searchParams.has("import")) return { isOpen: false as const };
  return { isOpen: true as const, files: (await services.memberFiles.list(FILES_SHOWN)).map(toLine) };
}

function toLine({ id, name, operator, sentAt, isRehearsal, ...file }: MemberFileView) {
  const { added, completed, same, refused } = file.counts;
  return {
    id,
    name,
    operator,
    sentAt: formatDateTime(sentAt),
    what: isRehearsal ? "a rehearsal" : "an import",
    state: stateText(file),
    counts: `${added} new, ${completed} updated, ${same} unchanged, ${refused} refused`,
    hasReport: isRehearsal || refused > 0,
  };
}

type Progress = Pick<MemberFileView, "finishedAt" | "fault" | "lines" | "linesDone">;

function stateText({ finishedAt, fault, lines, linesDone }: Progress) {
  if (fault !== undefined) return fault;
  if (finishedAt) return `done ${formatDateTime(finishedAt)}`;
  if (linesDone === 0) return "waiting";
  return lines === null ? `at line ${linesDone}` : `at line ${linesDone} of ${lines}`;
}

/** For an owner with a reason. A job imports the members. */
export async function sendMembersFile(form: FormData, { context, url }: ActionFunctionArgs) {
  const services = requireServices(context);
  const { operator } = requireOperator(context);
  const { memberFiles, operators, audit, capabilities } = services;
  const typed = readText(form, "reason").trim();
  const answer = (sentence: string, init?: ResponseInit) =>
    refuse(
      MEMBERS_FILE,
      { ...toFormResult(sentence), initialValue: { reason: typed, work: readText(form, "work") } },
      init,
    );
  if (!hasRole(operator.role, "owner") || !capabilities.holdsAll) return answer(table["role-too-low"], { status: 403 });
  const wait = await operators.countAct(operator.id);
  if (wait) return answer(tooMany(wait.waitInMs), tooSoon(wait.waitInMs));
  const [file, work] = [form.get("file"), choices.find(({ value }) => value === readText(form, "work"))?.value];
  if (!(file instanceof File) || file.size === 0) return answer("Please choose a CSV file.");
  if (file.size > MAX_BYTES) return answer("This file is larger than 6 MB. Please send it in parts.");
  if (work === undefined) return answer("Please choose what to do with the file.");
  if (typed === "") return answer(table["reason-missing"]);
  if (typed.length > REASON_MAX_LENGTH) return answer(table["reason-long"]);
  const sent = {
    name: file.name,
    bytes: await file.bytes(),
    operator: operator.email,
    isRehearsal: work === "rehearse",
    isMailed: work === "mail",
  };
  const added = await services.transact(async (trx) => {
    const taken = await memberFiles.add(sent, trx);
    if (!taken.ok) return taken;
    const facts = { file: taken.id, isRehearsal: sent.isRehearsal, isMailed: sent.isMailed };
    await audit.record({ operator: operator.email, reason: typed, action: "members file", facts }, trx);
    return taken;
  });
  if (!added.ok) return answer(added.refusal);
  const message = "We have your file. We'll start within minutes, and this page shows how far we've got.";
  return redirectWithFlash(importPath(), message, { url, services });
}

type MemberFilesProps = {
  found: NonNullable<Awaited<ReturnType<typeof readMemberFiles>>>;
  report: ShownAct | undefined;
};

export function MemberFiles({ found, report }: MemberFilesProps) {
  if (!found.isOpen) {
    return (
      <p>
        <Link to={importPath()}>Import members from a file</Link>
      </p>
    );
  }
  return (
    <section className={styles.section}>
      <h2>Import members from a file</h2>
      <p className={styles.note}>
        Choose a CSV file with headings, one of which is email. Each member chooses a new password: only the command
        imports passwords. You can send up to 6 MB, about 40,000 members. Split a larger file into parts, each with the
        headings.
      </p>
      <FileForm />
      <DataTable
        caption="Files"
        columns={["File", "Sent", "By", "As", "State", { label: "Members", isWhole: true }, "Report"]}
        rows={found.files.map((file) => ({
          key: file.id,
          cells: [
            file.name,
            file.sentAt,
            file.operator,
            file.what,
            file.state,
            file.counts,
            file.hasReport && (
              <ActForm
                key="report"
                act={report}
                item={`members-file-${file.id}`}
                words={{ what: "the report" }}
                look="small"
              />
            ),
          ],
        }))}
        whenEmpty="No file was sent in the last week."
      />
    </section>
  );
}

function FileForm() {
  const answer = useActionData<DeskAnswer>();
  const refusal = answer?.form === MEMBERS_FILE && "result" in answer ? answer.result : undefined;
  const typed = (name: string) => {
    const value = refusal?.initialValue?.[name];
    return typeof value === "string" ? value : undefined;
  };
  return (
    <>
      <RefusalBox refusal={refusal} />
      <IntentForm
        intent={MEMBERS_FILE}
        className={styles.form}
        encType="multipart/form-data"
        replace
        preventScrollReset
      >
        <PlainField id="members-file" label="File" type="file" name="file" accept=".csv,text/csv" required />
        <Select
          id="members-file-work"
          label="What to do"
          name="work"
          defaultValue={typed("work") ?? choices[0]?.value}
          options={choices}
        />
        <TextArea
          id="members-file-reason"
          label="Reason"
          name="reason"
          rows={2}
          maxLength={REASON_MAX_LENGTH}
          defaultValue={typed("reason")}
          required
        />
        <Submit intent={MEMBERS_FILE} label="Send the file" pending="Sending..." />
      </IntentForm>
    </>
  );
}
