import type { RouterContextProvider } from "react-router";

import { answerQuietPage } from "./quiet-page.tsx";
import { requireServices } from "../../frame/middleware/guards.ts";
import { href } from "../../frame/paths.ts";
import { accountPath } from "../member/dashboard/view.ts";
import type { Route } from "./+types/newsletter.ts";

/** The page of a "New this month" email's link, with one button. Loading it changes nothing. */
export function loader({ context, url }: Route.LoaderArgs) {
  return findMember(context, url) === undefined ? answerBadLink(context) : answerQuestion(context);
}

/**
 * Ends these emails, for the button and for mail programs (RFC 8058), which have no session or cookie and follow no
 * redirect. A repeat changes nothing.
 */
export async function action({ context, url }: Route.ActionArgs) {
  const memberId = findMember(context, url);
  if (memberId === undefined) return answerBadLink(context);
  await requireServices(context).newsletter.end(memberId);
  return answerEnded(context);
}

type Context = Readonly<RouterContextProvider>;

function findMember(context: Context, url: URL): number | undefined {
  return requireServices(context).newsletter.readEndLink(url.searchParams.get("end") ?? "");
}

function toTitle(context: Context, title: string): string {
  return `${title} – ${requireServices(context).product.name}`;
}

function answerQuestion(context: Context): Response {
  return answerQuietPage(context, {
    title: toTitle(context, "Stop these emails"),
    children: (
      <main>
        <h1>Stop these emails</h1>
        <div className="words">
          <p>We'll stop emailing you about what's new. Nothing else changes.</p>
        </div>
        {/* Without an action the form is sent to the page's address, which has the token. */}
        <form method="post">
          <button>Stop these emails</button>
        </form>
      </main>
    ),
  });
}

function answerEnded(context: Context): Response {
  return answerQuietPage(context, {
    title: toTitle(context, "You're unsubscribed"),
    children: (
      <>
        <main>
          <h1>You're unsubscribed</h1>
          <div className="words">
            <p>We won't email you about what's new any more. You can turn it on again in My Account.</p>
          </div>
        </main>
        <MyAccount />
      </>
    ),
  });
}

function answerBadLink(context: Context): Response {
  const { contactEmail } = requireServices(context).product;
  return answerQuietPage(context, {
    title: toTitle(context, "This link doesn't work"),
    status: 404,
    children: (
      <>
        <main>
          <h1>This link doesn't work</h1>
          <div className="words">
            <p>
              It may be incomplete. You can stop these emails in My Account, or write to{" "}
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a> and we'll stop them for you.
            </p>
          </div>
        </main>
        <MyAccount />
      </>
    ),
  });
}

function MyAccount() {
  return (
    <nav aria-label="My Account">
      <a href={href(accountPath("/", "newsletter"))}>My Account</a>
    </nav>
  );
}
