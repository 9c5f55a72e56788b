import { useRouteLoaderData } from "react-router";

import type { UnsentAct } from "./cookies.ts";
import type { Tab } from "./navigation.ts";

export type Desk = {
  productName: string;
  /** Missing without a session: the log-in is then shown. */
  operator: { name: string; email: string; role: string } | undefined;
  tabs: Tab[];
  /** The result of an act; shown once. */
  flash: { message: string; at: number } | undefined;
  /** Sent after its session had ended. */
  unsent: UnsentAct | undefined;
};

export function useDesk(): Desk {
  const desk = useRouteLoaderData<Desk>("routes/desk/layout");
  if (!desk) throw new Error("A screen of the desk stands outside its layout");
  return desk;
}

export function useOperatorEmail(): string {
  return useDesk().operator?.email ?? "";
}

/** Distinguishes several forms of one act on a screen. */
export function toFormName(act: string, item: string): string {
  return item === "" ? act : `${act} ${item}`;
}

/** The field by which a form confirms the prediction. */
export const AGREED = "agreed";
