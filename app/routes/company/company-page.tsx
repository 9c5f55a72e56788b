import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";

import { isRefusal } from "../../forms/answer.ts";
import type { CompanyAnswer } from "./contact.ts";

type CompanyPageProps = {
  title: string;
  answer?: CompanyAnswer | undefined;
  /** A sheet of paper has its own heading. */
  isSheet?: boolean;
  children: ReactNode;
};

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

export function useProductName(): string {
  return useRouteLoaderData<{ productName: string }>("routes/company/layout")?.productName ?? "";
}
