import type { NewCodeRefusal } from "../codes/codes.ts";
import { api } from "../refusals.ts";
import { refuse, type Answer } from "./command.ts";

/** Why a code cannot be made, for the commands that make one. */

export const MAX_SEATS = 1_000_000;

export function refuseTakenCode(code: string | undefined): Answer {
  return refuse(`There is a code “${code}” already: take another one.`);
}

/** What is badly written, one sentence each. */
export const codeMistakes: Record<Exclude<NewCodeRefusal, "code-taken">, string> = {
  "code-malformed": "--code must be 4 to 40 letters, digits and hyphens, and begin and end with a letter or digit.",
  "seats-invalid": `--seats must be a whole number from 1 to ${MAX_SEATS}.`,
  "dates-invalid": "--ends must come after --starts, which is now if it is not given.",
  "products-invalid": "--products must be up to 50 different numbers with commas between.",
  "company-unknown": api.ours["no-company"],
};
