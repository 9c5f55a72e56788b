import { data, redirect } from "react-router";

import { formatPence } from "../../../../server/platform/format.ts";
import { Field } from "../../../forms/field.tsx";
import { useCheckedForm } from "../../../forms/checked-form.ts";
import { readForm } from "../../../forms/intents.ts";
import { parseForm } from "../../../forms/parse-form.ts";
import { TestCards } from "../../../forms/test-cards.tsx";
import { requireServices } from "../../../frame/middleware/guards.ts";
import buttons from "../../../components/button.module.css";
import type { Route } from "./+types/card.ts";
import { answerPayer, type Card, card, notFound, requireDemoGateways, requireId } from "./open-gateways.ts";
import { OverPage, ProviderForm, ProviderPage } from "./provider-page.tsx";
import styles from "./provider-page.module.css";

/** For browsers without card fields. `?leave` leads back. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  const page = (await gateways.findCardPage(id)) ?? notFound();
  if (url.searchParams.has("leave")) throw redirect((await gateways.leaveCardPage(id)).url);
  const { testCards } = requireServices(context).cardFields;
  return { page, testCards, amount: formatPence(page.amountInPence) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  if (!(await gateways.findCardPage(id))) notFound();
  const submission = parseForm(await readForm(request), card, ["number", "cvc"]);
  if (!submission.ok) return data(submission.reply(), { status: 400 });
  return answerPayer(await gateways.payCardPage(id, submission.value), submission.reply);
}

export default function CardPage({
  loaderData: { page, amount, testCards },
  actionData: lastResult,
}: Route.ComponentProps) {
  const [form, fields] = useCheckedForm<Card>({ id: "card", lastResult });
  if (page.state === "over") return <OverPage returnUrl={page.returnUrl} />;
  return (
    <ProviderPage title="Pay by card" isWrong={lastResult !== undefined}>
      <p>
        {page.description}
        <span className={styles.amount}> {amount}</span>
      </p>
      <ProviderForm form={form} fields={[fields.number, fields.expiry, fields.cvc]}>
        <Field
          label="Card number"
          field={fields.number}
          autoComplete="cc-number"
          inputMode="numeric"
          placeholder="1234 1234 1234 1234"
        />
        <div className={styles.pair}>
          <Field label="Expiry" field={fields.expiry} autoComplete="cc-exp" inputMode="numeric" placeholder="MM / YY" />
          <Field label="CVC" field={fields.cvc} autoComplete="cc-csc" inputMode="numeric" placeholder="123" />
        </div>
        <TestCards cards={testCards} />
        <button className={buttons.button}>Pay {amount}</button>
      </ProviderForm>
      <a className={styles.leave} href="?leave=1">
        Cancel and go back
      </a>
    </ProviderPage>
  );
}
