import { itemKinds, kinds } from "../../content/items/kinds.ts";
import type { Member } from "../../members/accounts/accounts.ts";
import { composeCodeEmail } from "../../members/challenges/code-email.ts";
import { formatChoice, formatDay } from "../../platform/format.ts";
import type { SignUpContext } from "./context.ts";
import {
  button,
  composeEmail,
  type Email,
  type EmailInput,
  type EmailSettings,
  greet,
  oneLine,
  paragraph,
  privateLink,
  toCause,
  toSender,
} from "../../platform/email/layout.ts";

/** Asks whether an address typed into a sign-up is its reader's. Each challenge is one email. */
export function verificationEmail(
  { email, firstName, site, code: digits, token }: EmailInput<SignUpContext["emails"], "verification">,
  { product }: EmailSettings,
): Email {
  const link = `${site}signup?verify=${token}`;
  const content = composeCodeEmail(
    { sender: toSender(product, site), firstName, digits, link },
    {
      subject: "Confirm your email address",
      where: "on the page you came from",
      button: "Or confirm on this page",
      otherwise: "If it wasn't you, ignore this email.",
      why: `You get this email because someone signed up to ${oneLine(product.name)} with this address.`,
    },
  );
  const facts = { name: "verification" as const, firstName, code: digits, token, site };
  return {
    kind: "verification",
    cause: toCause(token),
    to: email,
    mail: { ...content, facts },
    isSecret: true,
  };
}

/** For the emails before and at the end. `link` opens the choice of plans for this account. */
export type Ending = {
  subscriptionId: number;
  member: Member;
  endsAt: Date;
  link: string;
  site: string;
  isCompanys?: boolean;
};

export function welcomeEmail(
  { member: { id, email, firstName, accountType }, endsAt, site }: Pick<Ending, "member" | "endsAt" | "site">,
  { product }: EmailSettings,
): Email {
  const day = formatDay(endsAt);
  const terms = {
    individual: `Your membership is ready. It's yours until ${day}.`,
    corporate: `Your membership is ready. It's yours until ${day}. Your company pays, so you won't be charged.`,
  };
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: `Welcome to ${oneLine(product.name)}`,
    why: `You get this email because you joined ${oneLine(product.name)}. We send it only once.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph(terms[accountType]),
      paragraph(`${verbs()} whatever you like, at noon or at 3 am.`),
      button("Start here", site),
      ...(accountType === "corporate"
        ? [
            paragraph("Your company sees rough totals only. It never sees your name or what you do here."),
            button("What your employer sees", `${site}company/what-your-employer-sees`),
          ]
        : []),
    ],
  });
  return { kind: "welcome", cause: `member-${id}`, to: email, memberId: id, mail };
}

/** The verbs of the product: "Watch, read or learn". */
function verbs(): string {
  const [first = "", ...others] = itemKinds.map((kind) => kinds[kind].favouritesRow);
  return formatChoice([first, ...others.map((verb) => verb.toLowerCase())]);
}

export function renewalReminderEmail(ending: Ending, settings: EmailSettings): Email {
  const day = formatDay(ending.endsAt);
  return endingEmail(ending, settings, {
    kind: "renewal-reminder",
    subject: `Your membership ends on ${day}`,
    texts: [
      `Your membership ends on ${day}. It doesn't renew, and we won't charge you.`,
      ending.isCompanys
        ? "Your company can pay for the next year too. You won't be charged."
        : "If you'd like to stay, choose a plan. It starts when this one ends.",
    ],
  });
}

export function membershipEndedEmail(ending: Ending, settings: EmailSettings): Email {
  return endingEmail(ending, settings, {
    kind: "membership-ended",
    subject: "Your membership has ended",
    texts: [
      `Your membership ended on ${formatDay(ending.endsAt)}. We haven't charged you again.`,
      ending.isCompanys
        ? "Your account and favourites are still here. Your company can pay for another year, so you won't be charged."
        : "Your account and favourites are still here. If you want to come back, choose a plan.",
    ],
  });
}

function endingEmail(
  { subscriptionId, member: { id, email, firstName }, link, site, isCompanys }: Ending,
  { product }: EmailSettings,
  { kind, subject, texts }: Pick<Email, "kind"> & { subject: string; texts: string[] },
): Email {
  const blocks = [
    paragraph(greet(firstName)),
    ...texts.map(paragraph),
    button(isCompanys ? "Carry on" : "Choose a plan", link),
    privateLink,
  ];
  const why = `You get this email because you are or were a member of ${oneLine(product.name)}. We send it only once.`;
  const mail = composeEmail({ sender: toSender(product, site), subject, why, blocks });
  return { kind, cause: `subscription-${subscriptionId}`, to: email, memberId: id, mail };
}

type RenewalLinkInput = { member: Member; link: string; at: Date; site: string };

/** Repeats the link to the choice of plans, for members who lost the email with it. */
export function renewalLinkEmail(
  { member: { id, email, firstName }, link, at, site }: RenewalLinkInput,
  { product }: EmailSettings,
): Email {
  const mail = composeEmail({
    sender: toSender(product, site),
    subject: "Your link to choose a plan",
    why: `You get this email because you asked ${oneLine(product.name)} for the link to renew your membership.`,
    blocks: [
      paragraph(greet(firstName)),
      paragraph("Here is your link to carry on with your membership. The new one starts when this one ends."),
      button("Choose a plan", link),
      paragraph("You won't be charged until you choose a plan and pay."),
      privateLink,
    ],
  });
  return { kind: "renewal-link", cause: `member-${id} ${at.toISOString()}`, to: email, memberId: id, mail };
}
