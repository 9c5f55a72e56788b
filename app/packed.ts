/**
 * Loader data that travels as one JSON string. The framework's own format takes each value of a page of cards apart,
 * which costs more than rendering half of them; a string is one value. (`of` is never there: it lets the type remember what was packed.) While the server renders, the value itself is at
 * hand and nothing is parsed; a browser parses each string once.
 */
export type Packed<Value> = { json: string; readonly of?: Value };

const values = new WeakMap<Packed<unknown>, unknown>();

export function pack<Value>(value: Value): Packed<Value> {
  const packed: Packed<Value> = { json: JSON.stringify(value) };
  values.set(packed, value);
  return packed;
}

/** The value that was packed, as far as JSON can carry it: plain objects, no dates. */
export function unpack<Value>(packed: Packed<Value>): Value {
  if (!values.has(packed)) values.set(packed, JSON.parse(packed.json));
  return values.get(packed) as Value;
}
