import { data, type LoaderFunctionArgs } from "react-router";

import { formatDate, formatPenceInFull } from "../../../server/format.ts";
import type { Services } from "../../../server/services.ts";
import type { CompanyView } from "../../../server/company-page/company-view.ts";
import { requestSource } from "../../context.ts";
import { requireServices } from "../../middleware/guards.ts";
import { drawQrCode } from "../../qr-code.ts";
import { collectionStates, toFigures } from "./company-figures.ts";
import { findContact } from "./contact.ts";
import { sentCookie } from "./cookies.ts";
import { companyPath, parseView, PUBLIC_VIEW } from "./view.ts";

/** What `/company` shows, by its address and by who asks. */
export type CompanyScreen = Awaited<ReturnType<typeof findCompanyScreen>>;

const titles = {
  "log-in": "Your company's page",
  code: "Check your email",
  link: "Log in to your company's page",
  "bad-link": "This link does not work",
  missing: "We couldn't find that",
};

function plain<Name extends keyof typeof titles>(name: Name) {
  return { name, title: titles[name] };
}

export async function findCompanyScreen(args: LoaderFunctionArgs) {
  const { request, context, url } = args;
  const services = requireServices(context);
  const view = parseView(url.searchParams);
  if (view === PUBLIC_VIEW)
    return { name: "sees" as const, title: "What your employer sees", figures: toFigures(sample) };
  const token = url.searchParams.get("token");
  if (token !== null) return findLinkScreen(services, token);
  const agreed = url.searchParams.get("agreed");
  if (agreed !== null) return findAgreed(services, { token: agreed, view, site: requestSource(context, url).site });
  const visitor = findContact(context);
  if (!visitor) {
    const isSent = view === "code" && sentCookie.read(request, { url, services }) !== undefined;
    return plain(isSent ? "code" : "log-in");
  }
  const company = await services.companyPage.findView(visitor.contact.companyId);
  if (!company) throw data(null, { status: 404 });
  switch (view) {
    case "poster":
      return findPoster(company, { site: requestSource(context, url).site, backPath: companyPath() });
    case "invoice":
      return findInvoice(company, { year: url.searchParams.get("year"), services });
    case "unknown":
      return plain("missing");
    case "code":
    case "home":
      return { name: "home" as const, title: company.name, figures: toFigures(company), others: visitor.others };
  }
}

/** No token of ours is longer. */
const TOKEN_MAX_LENGTH = 100;

/** Loading the page of a link changes nothing: mail scanners follow links. */
async function findLinkScreen({ companyPage }: Services, token: string) {
  const isGood = token.length <= TOKEN_MAX_LENGTH && (await companyPage.peekLink(token));
  return isGood ? { ...plain("link"), token } : plain("bad-link");
}

type Agreement = { token: string; view: ReturnType<typeof parseView>; site: string };

/** What a company sees when it comes back from the page of its Direct Debit: its code, its poster and the way to its own page. */
async function findAgreed({ companies }: Services, { token, view, site }: Agreement) {
  const company = token.length <= TOKEN_MAX_LENGTH ? await companies.findAgreed(token) : undefined;
  if (!company) return plain("log-in");
  const back = new URLSearchParams({ agreed: token });
  if (view === "poster") return findPoster(company, { site, backPath: `${companyPath()}?${back.toString()}` });
  const { name, code } = company;
  return {
    name: "agreed" as const,
    title: "Your Direct Debit is set up",
    company: name,
    code,
    posterPath: companyPath("poster", { agreed: token }),
  };
}

/** The page to print and put up. It names no member. */
function findPoster(
  { name: company, code }: Pick<CompanyView, "name" | "code">,
  { site, backPath }: { site: string; backPath: string },
) {
  const address = `${site}signup`;
  return {
    name: "poster" as const,
    title: "Poster",
    backPath,
    company,
    code,
    address: address.replace(/^https?:\/\//, ""),
    seesAddress: `${site}company?view=${PUBLIC_VIEW}`.replace(/^https?:\/\//, ""),
    // Sign-up with the code filled in.
    qrCode: drawQrCode(`${address}?${new URLSearchParams({ step: "1", code }).toString()}`),
  };
}

/** The invoice of a year. A year has one as soon as it is to be collected. */
function findInvoice(company: CompanyView, { year, services }: { year: string | null; services: Services }) {
  const collection = company.collections.find(({ period }) => String(period + 1) === year);
  if (!collection) return plain("missing");
  const { period, amountInPence, state, dueAt, endsAt } = collection;
  return {
    name: "invoice" as const,
    title: "Invoice",
    number: `C-${String(company.companyId).padStart(4, "0")}-${period + 1}`,
    facts: [
      { label: "From", value: services.product.invoiceSender },
      { label: "To", value: company.name },
      { label: "For", value: `${company.accounts.toLocaleString("en-GB")} accounts, year ${period + 1}` },
      { label: "First day", value: formatDate(dueAt) },
      { label: "Last day", value: formatDate(endsAt) },
      { label: "Paid by", value: "Direct Debit" },
      { label: "State", value: collectionStates[state] },
    ],
    amount: formatPenceInFull(amountInPence),
    contactEmail: services.product.companyEmail,
  };
}

const september = new Date("2026-09-01T00:00:00.000Z");

/** A company that does not exist, for the public page. */
const sample: CompanyView = {
  companyId: 0,
  name: "Sample Ltd",
  accounts: 60,
  priceInPence: 180_000,
  state: "live",
  graceEndsAt: undefined,
  code: "SAMPLE-CODE",
  codeFault: undefined,
  collections: [
    {
      period: 0,
      amountInPence: 180_000,
      state: "paid-out",
      dueAt: september,
      endsAt: new Date("2027-08-31T00:00:00.000Z"),
    },
  ],
  months: [
    { month: "2026-11", joined: 0, seatsTaken: 20 },
    { month: "2026-10", joined: 5, seatsTaken: 20 },
    { month: "2026-09", joined: 15, seatsTaken: 15 },
  ],
};
