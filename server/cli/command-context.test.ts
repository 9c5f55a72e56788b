import { userInfo } from "node:os";
import { expect, test } from "vitest";

import { findOperator } from "./command-context.ts";

test("an operator who runs a command as the service's user is recorded under their own name", () => {
  expect(findOperator({ SUDO_USER: "olive" })).toBe("olive");
  expect(findOperator({ SUDO_USER: "olive", DORMOUSE_OPERATOR: "" })).toBe("olive");
  expect(findOperator({ SUDO_USER: "olive", DORMOUSE_OPERATOR: " Olive\n Operator " })).toBe("Olive Operator");
  expect(findOperator({})).toBe(userInfo().username);
});
