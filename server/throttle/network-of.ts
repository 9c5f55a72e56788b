/** An IPv6 customer owns a whole /64, so that is what counts as one address. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  return [...groups, ...Array<string>(missing).fill("0"), ...(tail ? tail.split(":") : [])].slice(0, 4).join(":");
}
