import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "react-router";
import { z } from "zod";

import { BackLink } from "../../components/links.tsx";
import { logIn as table } from "../../../server/refusals.ts";
import { addressContext, readBrowser, callerContext } from "../../frame/context.ts";
import { isRefusal, toLastResult, refuse, readRetryAfter } from "../../forms/answer.ts";
import { useCheckedForm } from "../../forms/checked-form.ts";
import { changeScheme } from "../../frame/scheme.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { Field } from "../../forms/field.tsx";
import { IntentForm, Submit } from "../../forms/intent-form.tsx";
import { runIntent } from "../../forms/intents.ts";
import { refuseTooMany } from "../../forms/messages.ts";
import { hasPasskeys } from "../../forms/passkey-challenge.ts";
import { parseForm } from "../../forms/parse-form.ts";
import { OFFLINE, OFFLINE_BUTTON, sendOrKeep } from "../../forms/send-or-keep.ts";
import { requireServices, requireVisitor } from "../../frame/middleware/guards.ts";
import { href, returnPath } from "../../frame/paths.ts";
import { AuthLayout, publicProduct } from "./login/auth-layout.tsx";
import { Icon } from "../../components/icons.tsx";
import type { Route } from "./+types/login.ts";
import {
  agreeToAddress,
  confirmEmail,
  findLinkScreen,
  keepAddress,
  type LinkScreen,
  openReset,
  type OutcomeScreen,
  reopen,
  undoEmail,
} from "./login/email-links.ts";
import { BadLink, Link, OutcomePage } from "./login/link-pages.tsx";
import { type AskLinkScreen, enterByLink, findAskLink, requestLink } from "./login/log-in-link.ts";
import { AskLink, askLinkTitle } from "./login/log-in-link.tsx";
import { enter } from "./login/enter.ts";
import { PasskeyLogIn } from "./login/passkey-button.tsx";
import { logInByPasskey } from "./login/passkey-log-in.ts";
import { writeOffer } from "../member/dashboard/passkey-cookie.ts";
import { linkTexts, outcomes, parseOutcome } from "./login/link-texts.ts";
import { askLinkPath, parseResetStep, resetPath } from "./login/paths.ts";
import { ResetSteps, resetTitles } from "./login/reset-steps.tsx";
import {
  checkCode,
  earnedStep,
  findProgress,
  isEarned,
  type LogInAnswer,
  requestAgain,
  requestCode,
  type ResetScreen,
  setPassword,
} from "./login/reset.ts";
import { stepPath } from "./signup/steps.ts";
import buttons from "../../components/button.module.css";
import styles from "./login/login.module.css";

export { readRetryAfter as headers };

export async function loader(args: Route.LoaderArgs) {
  const screen = await findLogInScreen(args);
  const product = publicProduct(requireServices(args.context).product);
  return data({ product, screen, to: returnPath(args.url) }, { status: screen.name === "bad-link" ? 404 : 200 });
}

export const action = (args: Route.ActionArgs) =>
  runIntent(args, {
    scheme: changeScheme,
    "log-in": logIn,
    "passkey-log-in": logInByPasskey,
    "link-request": requestLink,
    "enter-link": enterByLink,
    "reset-request": requestCode,
    "reset-again": requestAgain,
    "reset-code": checkCode,
    "reset-password": setPassword,
    "reset-link": openReset,
    "confirm-link": confirmEmail,
    "answer-link": agreeToAddress,
    "keep-link": keepAddress,
    "undo-link": undoEmail,
    "reopen-link": reopen,
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  sendOrKeep(args, {
    "log-in": ["log-in", OFFLINE],
    "passkey-log-in": ["passkey-log-in", OFFLINE_BUTTON],
    "link-request": ["link-request", OFFLINE],
    "reset-request": ["reset-request", OFFLINE],
    "reset-again": ["reset-again", OFFLINE_BUTTON],
    "reset-code": ["reset-code", OFFLINE],
    "reset-password": ["reset-password", OFFLINE],
  });

export default function LogIn({ loaderData, actionData }: Route.ComponentProps) {
  const { product, screen, to } = loaderData;
  const answer = actionData ?? undefined;
  const isIn = screen.name === "reset" && screen.step === 4 && screen.isMember;
  return (
    <AuthLayout
      title={titleText(screen)}
      isWrong={answer && isRefusal(answer)}
      product={product}
      mode={isIn ? undefined : "Log In"}
      to={to}
    >
      <ScreenContent {...loaderData} answer={answer} />
    </AuthLayout>
  );
}

type ContentProps = Route.ComponentProps["loaderData"] & { answer: LogInAnswer | undefined };

function ScreenContent({ product, screen, answer, to }: ContentProps) {
  switch (screen.name) {
    case "log-in":
      return <LogInForm answer={answer} to={to} ways={screen} />;
    case "ask-link":
      return <AskLink screen={screen} answer={answer} to={to} />;
    case "reset":
      return <ResetSteps screen={screen} answer={answer} to={to} />;
    case "link":
      return <Link screen={screen} />;
    case "bad-link":
      return <BadLink screen={screen} product={product} />;
    case "outcome":
      return <OutcomePage screen={screen} product={product} />;
  }
}

/** `hasLink`: a link can be sent; `hasPasskeys`: browsers have them at this address. */
type LogInWays = { name: "log-in"; hasLink: boolean; hasPasskeys: boolean };

type LogInScreen = LogInWays | AskLinkScreen | ResetScreen | LinkScreen | OutcomeScreen;

/**
 * The log-in form is only for visitors; the reset and links of emails also work while logged in. An unearned step of
 * the reset leads to the furthest earned one.
 */
async function findLogInScreen({ request, context, url }: LoaderFunctionArgs): Promise<LogInScreen> {
  const { searchParams } = url;
  const linked = await findLinkScreen(requireServices(context), searchParams);
  if (linked) return linked;

  const outcome = parseOutcome(searchParams.get("done"));
  if (outcome) return { name: "outcome", outcome, isMember: context.get(callerContext).member !== undefined };

  const reset = searchParams.get("reset");
  if (reset === null) {
    requireVisitor(context);
    const hasLink = requireServices(context).capabilities.canLogInWithoutPassword;
    return findAskLink({ context, url }) ?? { name: "log-in", hasLink, hasPasskeys: hasLink && hasPasskeys(url) };
  }
  const step = parseResetStep(reset);
  const progress = findProgress({ request, context, url });
  if (!isEarned(step, progress)) throw redirect(resetPath(earnedStep(progress), returnPath(url)));
  const note = searchParams.has("sent") ? "sent" : searchParams.has("over") ? "over" : undefined;
  const isMember = context.get(callerContext).member !== undefined;
  if (step !== 3) return { name: "reset", step, note, isMember, email: undefined, turnsOn: false };
  const turnsOn = await requireServices(context).passwordReset.turnsOn(progress?.grant ?? "");
  return { name: "reset", step, note, isMember, email: progress?.email, turnsOn };
}

/** Longer texts are no address and no password, and only cost time. */
const credentials = z.object({
  email: z.string({ error: table["email-missing"] }).max(254, table["email-missing"]),
  password: z.string({ error: table["password-missing"] }).max(1024, table["password-missing"]),
});

/** Leads to the requested page, or back to the form with the typed text, without the password. */
async function logIn(form: FormData, { request, context, url }: ActionFunctionArgs) {
  const submission = parseForm(form, credentials, ["password"]);
  if (!submission.ok) return refuse("log-in", submission.reply());
  const { value, reply } = submission;

  const address = context.get(addressContext);
  const result = await requireServices(context).logIn({ ...value, address, ...readBrowser(request, context) });
  if (result.ok) {
    const entered = await enter(result.session, { context, url });
    const offer = await writeOffer(result.memberId, { context, url });
    if (offer !== undefined) entered.headers.append("Set-Cookie", offer);
    return entered;
  }
  switch (result.reason) {
    case "wrong-credentials":
      return refuse("log-in", reply({ formErrors: [table["wrong-credentials"]] }));
    case "unavailable":
      return refuse("log-in", reply({ formErrors: [table.unavailable] }), { status: 503 });
    case "too-many-attempts":
      return refuseTooMany("log-in", result, reply);
  }
}

/** docs/behaviour.md, Log-in. The browser itself reports missing fields. */
function LogInForm({ answer, to, ways }: Pick<ContentProps, "answer" | "to"> & { ways: LogInWays }) {
  const lastResult = toLastResult(answer, "log-in");
  const [form, fields] = useCheckedForm<{ email: string; password: string }>({
    id: "log-in",
    lastResult,
  });
  return (
    <div className={styles.logIn}>
      <BackLink className={`${buttons.pill} ${styles.back}`} to={stepPath(0, to)}>
        <Icon name="back" />
        Back
      </BackLink>
      <h1 tabIndex={-1}>Log in</h1>
      <ErrorSummary form={form} fields={[fields.email, fields.password]} />
      <IntentForm intent="log-in" form={form} className={styles.form} replace noValidate={false}>
        <Field
          field={fields.email}
          label="Email"
          type="email"
          maxLength={254}
          autoComplete={ways.hasPasskeys ? "username webauthn" : "username"}
          inputMode="email"
          enterKeyHint="next"
        />
        <Field
          field={fields.password}
          label="Password"
          type="password"
          maxLength={1024}
          autoComplete="current-password"
          enterKeyHint="go"
        />
        <Submit
          intent="log-in"
          label={lastResult?.status === "error" ? "Please try again" : "Log In"}
          pending="Logging in..."
        />
      </IntentForm>
      {ways.hasPasskeys && <PasskeyLogIn answer={answer} />}
      <div className={styles.other}>
        {ways.hasLink && (
          <p>
            No password to hand? <a href={href(askLinkPath("ask", to))}>Email me a link</a>
          </p>
        )}
        <p>
          Don't have an account? <a href={href(stepPath(1, to))}>Sign up</a>
        </p>
        <p>
          Forgot your password? <a href={href(resetPath(1, to))}>Reset password</a>
        </p>
      </div>
    </div>
  );
}

function titleText(screen: LogInScreen): string {
  switch (screen.name) {
    case "log-in":
      return "Log in";
    case "ask-link":
      return askLinkTitle(screen);
    case "reset":
      return resetTitles[screen.step];
    case "link":
      return linkTexts[screen.kind].title;
    case "bad-link":
      return "This link doesn't work";
    case "outcome":
      return outcomes[screen.outcome].title;
  }
}
