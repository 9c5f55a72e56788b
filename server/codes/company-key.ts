/**
 * Names a company to the gateway, as the beginning of the keys under which things are made for it there. Its number alone would not
 * do: after a backup was restored, or in a new installation on the same account, another company may come to have that number.
 */
export function keyOfCompany({ id, created_at }: { id: number; created_at: string }): string {
  return `company:${id}:${created_at}`;
}
