/** One line of what is bought or was bought. */
export type Fact = { label: string; value: string };

export function fact(label: string, value: string): Fact {
  return { label, value };
}
