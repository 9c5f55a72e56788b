import { BlockList, isIP } from "node:net";

/**
 * Whether a network address is one of `ranges`: addresses, ranges such as `10.0.0.0/8`, or `loopback`. An IPv4 address counts as itself
 * where it is written as IPv6 (`::ffff:10.0.0.1`).
 */
export function createAddressCheck(ranges: string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges.flatMap((each) => (each === "loopback" ? ["127.0.0.0/8", "::1"] : [each]))) {
    const [address = "", prefix] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Whether a range has more than any network of one owner, as halves of the internet have: trusting it is trusting strangers. */
export function isTooWide(range: string): boolean {
  const [address = "", prefix] = range.split("/");
  if (prefix === undefined) return false;
  // 10.0.0.0/8 and fc00::/7 are the widest private networks; an IPv4 address in IPv6 has 96 bits before it.
  if (isIP(address) === 4) return Number(prefix) < 8;
  if (/^::ffff:/i.test(address)) return Number(prefix) < 96 + 8;
  return Number(prefix) < (/^f[cd]/i.test(address) ? 7 : 16);
}
