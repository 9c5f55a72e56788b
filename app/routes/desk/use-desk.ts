import { useRouteLoaderData } from "react-router";

import type { ActName, ShownAct } from "../../../server/operations/acts/acts.ts";
import type { UnsentAct } from "./cookies.ts";
import type { Tab } from "./navigation.ts";

/** The data that the layout of the desk loads for all of its screens. */
export type Desk = {
  productName: string;
  /** None without a session: then the log-in is shown. */
  operator: { name: string; email: string; role: string } | undefined;
  /** The navigation of the frame. */
  tabs: Tab[];
  /** The acts that the operator may do, as their forms show them. */
  acts: Partial<Record<ActName, ShownAct>>;
  /** The result of an act; shown once. */
  flash: { message: string; at: number } | undefined;
  /** A form whose session had ended when it was sent. */
  unsent: UnsentAct | undefined;
};

export function useDesk(): Desk {
  const desk = useRouteLoaderData<Desk>("routes/desk/layout");
  if (!desk) throw new Error("A screen of the desk stands outside its layout");
  return desk;
}

/** The email of the operator whose password a form of the desk asks for. */
export function useOperatorEmail(): string {
  return useDesk().operator?.email ?? "";
}

/** Several forms of one act on a screen are told apart by what each is about. */
export function toFormName(act: string, item: string): string {
  return item === "" ? act : `${act} ${item}`;
}

/** The field by which a form says that its operator has read what will happen. */
export const AGREED = "agreed";
