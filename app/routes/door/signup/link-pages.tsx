import { Link } from "react-router";

import { IntentForm, Submit } from "../../../forms/intent-form.tsx";
import { logInPath } from "../login/paths.ts";
import type { LinkScreen, ScreenProps } from "./sign-up-screen.ts";
import { LINK_PAGE_ID, renewPath, stepPath } from "./steps.ts";
import buttons from "../../../components/button.module.css";
import steps from "./step.module.css";

export function LinkPage({ screen, ...props }: Omit<ScreenProps, "screen" | "answer"> & { screen: LinkScreen }) {
  switch (screen.name) {
    case "verify-link":
      return <VerifyLink screen={screen} />;
    case "verified":
      return <Verified />;
    case "renewal":
      return <Renewal screen={screen} />;
    case "company":
      return <Company {...props} screen={screen} />;
    case "bad-link":
      return <BadLink {...props} screen={screen} />;
  }
}

function VerifyLink({ screen }: Pick<ScreenProps<"verify-link">, "screen">) {
  return (
    <div className={steps.step} id={LINK_PAGE_ID}>
      <h1 tabIndex={-1}>Verify your email</h1>
      <p>
        Are you signing up with <strong>{screen.email}</strong>? If not, just close this page.
      </p>
      <IntentForm intent="verify-link" action="/signup">
        <input type="hidden" name="token" value={screen.token} />
        <Submit intent="verify-link" label="Verify my email" pending="Verifying..." />
      </IntentForm>
    </div>
  );
}

function Verified() {
  return (
    <div className={steps.step} id={LINK_PAGE_ID}>
      <h1 tabIndex={-1}>Your email is verified.</h1>
      <p>Go back to the window where you were signing up.</p>
    </div>
  );
}

function Renewal({ screen }: Pick<ScreenProps<"renewal">, "screen">) {
  const { token, firstName, endsOn, company } = screen;
  if (company?.opensOn) {
    return (
      <div className={steps.step} id={LINK_PAGE_ID}>
        <h1 tabIndex={-1}>Your company pays, {firstName}</h1>
        <p>{`${company.name} pays for your membership until ${endsOn}. You can renew from ${company.opensOn}.`}</p>
        <p>
          <Link className={buttons.button} to="/">
            Go to my videos
          </Link>
        </p>
      </div>
    );
  }
  return (
    <div className={steps.step} id={LINK_PAGE_ID}>
      <h1 tabIndex={-1}>Welcome back, {firstName}</h1>
      <p>{endsOn ? `Your membership runs until ${endsOn}. The new one starts then.` : "Your membership has ended."}</p>
      <p>
        {company
          ? `${company.name} pays for the next year. You won't be charged.`
          : "Choose a plan to carry on. Your favourites and details are still here."}
      </p>
      <IntentForm intent="renew" action="/signup">
        <input type="hidden" name="token" value={token} />
        <Submit intent="renew" label="Renew my membership" pending="Opening..." />
      </IntentForm>
    </div>
  );
}

function Company({ product, screen }: Pick<ScreenProps<"company">, "product" | "screen">) {
  const contact = <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a>;
  return (
    <div className={steps.step} id={LINK_PAGE_ID}>
      <h1 tabIndex={-1}>{screen.hasAgreed ? "Your Direct Debit is set up" : "Your Direct Debit isn't set up yet"}</h1>
      {screen.hasAgreed ? (
        <p>Thank you. Your company's code will work in a minute or so. Share it with your staff so they can join.</p>
      ) : (
        <p>
          You haven't agreed to anything yet. The link in our email works for a week. Need a new one? Write to {contact}
        </p>
      )}
    </div>
  );
}

function BadLink({ product, screen, to }: Omit<ScreenProps<"bad-link">, "answer">) {
  const contact = <a href={`mailto:${product.contactEmail}`}>{product.contactEmail}</a>;
  return (
    <div className={steps.step} id={LINK_PAGE_ID}>
      <h1 tabIndex={-1}>This link doesn't work</h1>
      {screen.kind === "verify" ? (
        <p>
          You may have used it already, or it may be too old. Go back to the window where you were signing up. If your
          email isn't verified there, send yourself a new code.
        </p>
      ) : (
        <p>It may be too old or incomplete. Write to {contact} and we'll send you a new one.</p>
      )}
      <p>
        <Link className={buttons.button} to={screen.kind === "verify" ? stepPath(0, to) : logInPath(renewPath(to))}>
          {screen.kind === "verify" ? "Go to sign up" : "Log in"}
        </Link>
      </p>
    </div>
  );
}
