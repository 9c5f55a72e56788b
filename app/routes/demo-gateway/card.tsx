import { data, redirect } from "react-router";

import { formatPence } from "../../../server/format.ts";
import { Field } from "../../forms/field.tsx";
import { readForm } from "../../forms/intents.ts";
import { readSubmission } from "../../forms/read-submission.ts";
import buttons from "../../ui/button.module.css";
import type { Route } from "./+types/card.ts";
import { answerPayer, card, notFound, requireDemoGateways, requireId } from "./open-gateways.ts";
import { OverPage, ProviderForm, ProviderPage } from "./provider-page.tsx";
import styles from "./provider-page.module.css";

/** The hosted page on which a card is entered by whoever has no card fields. `?leave` is the way back. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  const page = (await gateways.findCardPage(id)) ?? notFound();
  if (url.searchParams.has("leave")) throw redirect((await gateways.leaveCardPage(id)).url);
  return { page, amount: formatPence(page.amountInPence) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const gateways = requireDemoGateways(context);
  const id = requireId(params);
  if (!(await gateways.findCardPage(id))) notFound();
  const submission = readSubmission(await readForm(request), card, ["number", "cvc"]);
  if (!submission.ok) return data(submission.echo, { status: 400 });
  const paid = await gateways.payCardPage(id, submission.value);
  return answerPayer(paid.ok ? paid : { ok: false, problems: [paid] }, submission.echo);
}

export default function CardPage({ loaderData: { page, amount }, actionData: echo }: Route.ComponentProps) {
  if (page.state === "over") return <OverPage returnUrl={page.returnUrl} />;
  return (
    <ProviderPage title="Pay by card" isWrong={echo !== undefined}>
      <p>
        {page.description}
        <span className={styles.amount}> {amount}</span>
      </p>
      <ProviderForm echo={echo}>
        <Field
          label="Card number"
          name="number"
          autoComplete="cc-number"
          inputMode="numeric"
          placeholder="1234 1234 1234 1234"
          required
          errors={echo?.fieldErrors.number}
        />
        <div className={styles.pair}>
          <Field
            label="Expiry"
            name="expiry"
            autoComplete="cc-exp"
            inputMode="numeric"
            placeholder="MM / YY"
            required
            defaultValue={echo?.values.expiry}
            errors={echo?.fieldErrors.expiry}
          />
          <Field
            label="CVC"
            name="cvc"
            autoComplete="cc-csc"
            inputMode="numeric"
            placeholder="123"
            required
            errors={echo?.fieldErrors.cvc}
          />
        </div>
        <button className={buttons.button}>Pay {amount}</button>
      </ProviderForm>
      <a className={styles.leave} href="?leave=1" data-native="">
        Cancel and go back
      </a>
    </ProviderPage>
  );
}
