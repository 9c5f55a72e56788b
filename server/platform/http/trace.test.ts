import { expect, test } from "vitest";

import { readTrace } from "./trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";

test.each([
  `00-${traceId}-${parentId}-01`,
  `00-${traceId}-${parentId}-00`,
  `cc-${traceId}-${parentId}-01-what-comes-later`,
])("%s names trace and parent", (header) => expect(readTrace(header)).toEqual({ traceId, parentId }));

test.each([
  undefined,
  null,
  "",
  `${traceId}-${parentId}`,
  `00-${traceId}-${parentId}`,
  `00-${traceId}-${parentId}-01-more`,
  `00-${traceId}-${parentId}-01 `,
  `ff-${traceId}-${parentId}-01`,
  `00-${"0".repeat(32)}-${parentId}-01`,
  `00-${traceId}-${"0".repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${parentId}-01`,
  `00-${traceId}0-${parentId}-01`,
  `00-${traceId}-ada@example.org-01`,
  // Two headers of the name, as Node joins them.
  `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  [`00-${traceId}-${parentId}-01`],
])("nothing of %j is taken over", (header) => expect(readTrace(header)).toEqual({}));
