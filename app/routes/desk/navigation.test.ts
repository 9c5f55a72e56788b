import { expect, test } from "vitest";

import { listTabs, toScreenPath } from "./navigation.ts";

test("the name of a screen's file is its path", () => {
  const files = ["_index.tsx", "members.tsx", "members.$id.tsx", "sign-ups.$id.tsx"];
  expect(files.map(toScreenPath)).toEqual(["", "members", "members/:id", "sign-ups/:id"]);
});

test("tabs have the order of their first screens, which they open, and links only where screens have them", () => {
  expect(
    listTabs({
      "./screens/jobs.tsx": { tab: "Health", link: "Jobs", order: 31 },
      "./screens/members.tsx": { tab: "Members", order: 20, key: "m" },
      "./screens/members.$id.tsx": { tab: "Members" },
      "./screens/health.tsx": { tab: "Health", link: "Overview", order: 30 },
      "./screens/_index.tsx": { tab: "Today", order: 10 },
    }),
  ).toEqual([
    { label: "Today", path: "/desk", links: [] },
    { label: "Members", path: "/desk/members", key: "m", links: [] },
    {
      label: "Health",
      path: "/desk/health",
      links: [
        { label: "Overview", path: "/desk/health" },
        { label: "Jobs", path: "/desk/jobs" },
      ],
    },
  ]);
});

test("a screen that names no tab is found at once", () => {
  expect(() => listTabs({ "./screens/jobs.tsx": undefined })).toThrow("./screens/jobs.tsx must export a `handle`");
});
