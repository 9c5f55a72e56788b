import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";

import { isRefusal } from "../../forms/answer.ts";
import type { CompanyAnswer } from "./contact.ts";

type CompanyPageProps = {
  title: string;
  /** The answer to a form of the screen. */
  answer?: CompanyAnswer | undefined;
  /** A sheet of paper brings its own heading. */
  isSheet?: boolean;
  children: ReactNode;
};

/** A screen of a company's page: its title, its heading and what it shows. */
export function CompanyPage({ title, answer, isSheet = false, children }: CompanyPageProps) {
  const isRefused = answer !== undefined && isRefusal(answer);
  return (
    <>
      <title>{`${isRefused ? "Error: " : ""}${title} – ${useProductName()}`}</title>
      {!isSheet && <h1 tabIndex={-1}>{title}</h1>}
      {children}
    </>
  );
}

/** The data of the layout of the company's page. */
export function useProductName(): string {
  return useRouteLoaderData<{ productName: string }>("routes/company/layout")?.productName ?? "";
}
