/** Several forms of one act on a screen are told apart by what each is about. */
export function formNameOf(intent: string, subject: string): string {
  return subject === "" ? intent : `${intent} ${subject}`;
}
