import { redirect } from "react-router";

import { formatPence } from "../../../../server/platform/format.ts";
import { runIntent, type Intent } from "../../../forms/intents.ts";
import { OverPage, ProviderPage, usePageAddress } from "./provider-page.tsx";
import buttons from "../../../components/button.module.css";
import type { Route } from "./+types/authenticate.ts";
import { notFound, requireDemoGateways, requireId } from "./open-gateways.ts";
import styles from "./provider-page.module.css";

export async function loader({ params, context }: Route.LoaderArgs) {
  const page = (await requireDemoGateways(context).findAuthentication(requireId(params))) ?? notFound();
  return { page, amount: formatPence(page.amountInPence) };
}

export function action(args: Route.ActionArgs) {
  requireDemoGateways(args.context);
  return runIntent(args, { complete: end(true), fail: end(false) });
}

function end(isComplete: boolean): Intent {
  return async (_form, { params, context }) => {
    const gateways = requireDemoGateways(context);
    const id = requireId(params);
    if (!(await gateways.findAuthentication(id))) notFound();
    return redirect((await gateways.authenticate(id, isComplete)).url, 303);
  };
}

export default function Authenticate({ loaderData: { page, amount } }: Route.ComponentProps) {
  const address = usePageAddress();
  if (page.state === "over") return <OverPage returnUrl={page.returnUrl} />;
  return (
    <ProviderPage title="Your bank asks: is it you?">
      <p>
        {page.description}
        <span className={styles.amount}> {amount}</span>
      </p>
      <form method="post" action={address} className={styles.actions}>
        <button className={buttons.button} name="intent" value="complete">
          Complete
        </button>
        <button className={buttons.quiet} name="intent" value="fail">
          Fail
        </button>
      </form>
    </ProviderPage>
  );
}
