import { data, redirect, type ActionFunctionArgs } from "react-router";

import { Field } from "../../../forms/field.tsx";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { runIntent } from "../../../forms/intents.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import buttons from "../../../components/button.module.css";
import type { Route } from "./+types/debit.ts";
import {
  answerPayer,
  type BankAccount,
  bankAccount,
  notFound,
  requireDemoGateways,
  requireId,
} from "./open-gateways.ts";
import { OverPage, ProviderForm, ProviderPage } from "./provider-page.tsx";
import styles from "./provider-page.module.css";

/** A company agrees to the yearly Direct Debit here. */
export async function loader({ params, context }: Route.LoaderArgs) {
  return { page: (await requireDemoGateways(context).findDebitPage(requireId(params))) ?? notFound() };
}

export function action(args: Route.ActionArgs) {
  requireDemoGateways(args.context);
  return runIntent(args, { agree, leave });
}

async function agree(form: FormData, { params, context }: ActionFunctionArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  if (!(await gateways.findDebitPage(id))) notFound();
  const submission = parseForm(form, bankAccount, ["accountNumber", "sortCode"]);
  if (!submission.ok) return data(submission.reply(), { status: 400 });
  return answerPayer(await gateways.agreeDebit(id, submission.value), submission.reply);
}

async function leave(_form: FormData, { params, context }: ActionFunctionArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  if (!(await gateways.findDebitPage(id))) notFound();
  return redirect((await gateways.leaveDebit(id)).url, 303);
}

export default function DebitPage({ loaderData: { page }, actionData: lastResult }: Route.ComponentProps) {
  const [form, fields] = useCheckedForm<BankAccount>({ id: "debit", lastResult });
  if (page.state === "over") return <OverPage returnUrl={page.returnUrl} />;
  return (
    <ProviderPage title="Set up a Direct Debit" isWrong={lastResult !== undefined}>
      <p>
        For <strong>{page.companyName}</strong>. We collect each year's price from this account by Direct Debit, and
        tell you first.
      </p>
      <ProviderForm form={form} fields={[fields.accountHolderName, fields.accountNumber, fields.sortCode]}>
        <Field label="Account holder name" field={fields.accountHolderName} autoComplete="name" />
        <div className={styles.pair}>
          <Field
            label="Account number"
            field={fields.accountNumber}
            autoComplete="off"
            inputMode="numeric"
            placeholder="55779911"
          />
          <Field
            label="Sort code"
            field={fields.sortCode}
            autoComplete="off"
            inputMode="numeric"
            placeholder="20-00-00"
          />
        </div>
        <div className={styles.actions}>
          <button className={buttons.button} name="intent" value="agree">
            Set up Direct Debit
          </button>
          <button className={buttons.quiet} name="intent" value="leave">
            Leave
          </button>
        </div>
      </ProviderForm>
    </ProviderPage>
  );
}
