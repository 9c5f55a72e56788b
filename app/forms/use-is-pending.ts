import { useNavigation } from "react-router";

/** Whether the form with this intent is under way. Without script the browser shows it itself. */
export function useIsPending(intent: string): boolean {
  return useNavigation().formData?.get("intent") === intent;
}
