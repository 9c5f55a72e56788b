import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";

import { createBySegment } from "./route-segments.ts";

const routes = Object.fromEntries(
  [
    { id: "root", path: "" },
    { id: "home", path: "/" },
    { id: "login", path: "login" },
    { id: "quiet", path: undefined },
    { id: "kept", path: "kept/:key?", parentId: "quiet" },
    { id: "desk", path: "desk" },
    { id: "today", path: undefined, index: true, parentId: "desk" },
    { id: "codes", path: "codes/:code", parentId: "desk" },
    { id: "api", path: "api/*" },
    { id: "nowhere", path: "*" },
  ].map((route) => [route.id, { parentId: route.id === "root" ? undefined : "root", ...route }]),
) as unknown as ServerBuild["routes"];

const find = createBySegment(routes, (known) => Object.keys(known).toSorted().join(" "));
const everything = Object.keys(routes).toSorted().join(" ");

test.each([
  ["/", "home nowhere quiet root"],
  ["/_.data", "home nowhere quiet root"],
  ["/login", "login nowhere quiet root"],
  ["/login/", "login nowhere quiet root"],
  ["/login.data", "login nowhere quiet root"],
  ["/kept/read-1001", "kept nowhere quiet root"],
  ["/api/v1/members", "api nowhere quiet root"],
  ["/desk", "codes desk nowhere quiet root today"],
  ["/desk.data", "codes desk nowhere quiet root today"],
  ["/desk/_.data", "codes desk nowhere quiet root today"],
  ["/desk/codes/DORMOUSE-DEMO.data", "codes desk nowhere quiet root today"],
])("%s finds what is made of the routes that it may lead to", (path, known) => {
  expect(find(path)).toBe(known);
});

test.each(["/LOGIN", "/%6Cogin", "//login", "/log in", "/nowhere", "/.data", "/login%2F", "/é", ""])(
  "“%s” finds what is made of all routes",
  (path) => {
    expect(find(path)).toBe(everything);
  },
);
