import { data, Form, href, Link, redirect, useOutletContext } from "react-router";

import type { Services } from "../../../server/services.ts";
import { CodeGroups } from "../../paper/code.tsx";
import buttons from "../../components/button.module.css";
import { requireServices } from "../../frame/middleware/guards.ts";
import { withSearch } from "../../frame/paths.ts";
import type { Route } from "./+types/home.ts";
import { CompanyPage } from "./company-page.tsx";
import { toFigures } from "./company-texts.ts";
import { type CompanyAnswer, findContact } from "./contact.ts";
import { sentCookie } from "./cookies.ts";
import { Figures } from "./figures.tsx";
import { BadLink, CodeForm, LinkForm, LogInForm } from "./log-in-forms.tsx";
import styles from "./company.module.css";

/** Without a session it shows the steps of the log-in. */
export async function loader(args: Route.LoaderArgs) {
  redirectOldAddress(args.url);
  const screen = await findScreen(args);
  return data(screen, { status: screen.name === "bad-link" ? 404 : 200 });
}

type Screen = Awaited<ReturnType<typeof findScreen>>;

async function findScreen({ request, context, url }: Route.LoaderArgs) {
  const services = requireServices(context);
  const token = url.searchParams.get("token");
  if (token !== null) return findLink(services, token);
  const agreed = url.searchParams.get("agreed");
  if (agreed !== null) return findAgreed(services, agreed);
  const visitor = findContact(context);
  if (!visitor) {
    const isSent = url.searchParams.get("step") === "code" && sentCookie.read(request, { url, services }) !== undefined;
    return { name: isSent ? ("code" as const) : ("log-in" as const) };
  }
  const company = await services.companyPage.findView(visitor.contact.companyId);
  if (!company) throw data(null, { status: 404 });
  return { name: "contract" as const, figures: toFigures(company), others: visitor.others };
}

/** Posters on walls and emails from before 1.0.0 have such addresses. */
function redirectOldAddress({ searchParams }: URL): void {
  const view = searchParams.get("view");
  if (view === "what-your-employer-sees") throw redirect(href("/company/what-your-employer-sees"), 301);
  if (view !== "poster") return;
  throw redirect(withSearch(href("/company/poster"), { agreed: searchParams.get("agreed") ?? undefined }), 301);
}

/** No token of ours is longer. */
const TOKEN_MAX_LENGTH = 100;

/** Changes nothing: mail scanners follow links. */
async function findLink({ companyPage }: Services, token: string) {
  const isGood = token.length <= TOKEN_MAX_LENGTH && (await companyPage.peekLink(token));
  return isGood ? { name: "link" as const, token } : { name: "bad-link" as const };
}

/** The company that returns from the page of its Direct Debit. */
async function findAgreed({ companies }: Services, token: string) {
  const company = token.length <= TOKEN_MAX_LENGTH ? await companies.findAgreed(token) : undefined;
  if (!company) return { name: "log-in" as const };
  const { name, code } = company;
  return {
    name: "agreed" as const,
    company: name,
    code,
    posterPath: withSearch(href("/company/poster"), { agreed: token }),
  };
}

export default function CompanyHome({ loaderData: screen }: Route.ComponentProps) {
  const answer = useOutletContext<CompanyAnswer | undefined>();
  switch (screen.name) {
    case "log-in":
      return <LogInForm answer={answer} />;
    case "code":
      return <CodeForm answer={answer} />;
    case "link":
      return <LinkForm token={screen.token} />;
    case "bad-link":
      return <BadLink />;
    case "agreed":
      return <Agreed {...screen} />;
    case "contract":
      return <Contract {...screen} />;
  }
}

type ContractProps = Extract<Screen, { name: "contract" }>;

function Contract({ figures, others }: ContractProps) {
  return (
    <CompanyPage title={figures.company}>
      <p>
        You see rough totals only, never names, email addresses or what anyone does here.{" "}
        <Link to={href("/company/what-your-employer-sees")}>What your employer sees</Link> tells your staff the same.
      </p>
      <ul className={styles.actions}>
        <li>
          <Link className={buttons.button} to={href("/company/poster")}>
            Poster to print
          </Link>
        </li>
        {figures.collections.length > 0 && (
          <li>
            <Link className={buttons.quiet} to={href("/company/collections.csv")} reloadDocument>
              Collections as a file (CSV)
            </Link>
          </li>
        )}
      </ul>
      <Figures figures={figures} />
      {others.length > 0 && <Others others={others} />}
    </CompanyPage>
  );
}

/** Shown once the Direct Debit is set up, with or without a session. */
function Agreed({ company, code, posterPath }: Extract<Screen, { name: "agreed" }>) {
  return (
    <CompanyPage title="Your Direct Debit is set up">
      <p>
        Thank you. Your staff at {company} join with this code. It will work within a minute or so, and we'll email you
        when it does.
      </p>
      <p className={styles.code}>
        <CodeGroups code={code} />
      </p>
      <ul className={styles.actions}>
        <li>
          <Link className={buttons.button} to={posterPath}>
            Poster to print
          </Link>
        </li>
        <li>
          <Link className={buttons.quiet} to={href("/company")}>
            Open your company's page
          </Link>
        </li>
      </ul>
      <p>
        Your company's page shows how many seats are taken and has your invoices. There's no password: type the email
        address that we wrote to, and we'll send you a link and a code.
      </p>
    </CompanyPage>
  );
}

function Others({ others }: Pick<ContractProps, "others">) {
  return (
    <section className={styles.section}>
      <h2>Your other companies</h2>
      <ul className={styles.actions}>
        {others.map(({ id, companyName }) => (
          <li key={id}>
            <Form method="post" action={href("/company")} reloadDocument>
              <input type="hidden" name="intent" value="company-switch" />
              <input type="hidden" name="contact" value={id} />
              <button className={buttons.quiet}>{companyName}</button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
