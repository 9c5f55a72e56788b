import { expect, test } from "vitest";

import { createAddressCheck } from "./addresses.ts";

test("addresses and ranges of both families are recognised, and IPv4 where it is written as IPv6", () => {
  const isOurs = createAddressCheck(["192.0.2.7", "10.1.0.0/16", "2001:db8::/32", "loopback"]);
  const ours = ["192.0.2.7", "10.1.200.3", "2001:db8:1::9", "::ffff:10.1.0.1", "::ffff:c000:207", "127.0.0.9", "::1"];
  expect(ours.filter((address) => !isOurs(address))).toEqual([]);
  const others = ["192.0.2.8", "10.2.0.1", "2001:db9::1", "::ffff:10.2.0.1", "unknown", "", "10.1.0.1:80"];
  expect(others.filter(isOurs)).toEqual([]);
});
