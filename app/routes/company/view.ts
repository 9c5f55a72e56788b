/** The screens of a company's page, by their addresses: `/company?view=invoice&year=1`. */
const views = ["code", "poster", "invoice", "what-your-employer-sees"] as const;

export type CompanyViewName = (typeof views)[number];

/** The only screen that needs no log-in. */
export const PUBLIC_VIEW = "what-your-employer-sees";

/** `home` is the page without a `view`. */
export function parseView(params: URLSearchParams): CompanyViewName | "home" | "unknown" {
  const asked = params.get("view");
  return asked === null ? "home" : (views.find((name) => name === asked) ?? "unknown");
}

export function companyPath(view?: CompanyViewName, params: Record<string, string | number> = {}): string {
  if (view === undefined) return "/company";
  const given = Object.entries(params).map(([key, value]) => [key, String(value)]);
  return `/company?${new URLSearchParams([["view", view], ...given]).toString()}`;
}
