/** Several forms of one act on a screen are told apart by what each is about. */
export function formNameOf(act: string, item: string): string {
  return item === "" ? act : `${act} ${item}`;
}
