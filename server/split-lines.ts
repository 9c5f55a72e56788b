/**
 * The lines of a text that comes in pieces, the last one even without an end. Not `readline`: it does not pass on a failure of its
 * input, and a reader that stops half-way leaves a stream whose failure is caught nowhere.
 */
export async function* splitLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of text) {
    const [first = "", ...lines] = chunk.split("\n");
    rest.push(first);
    for (const line of lines) {
      yield rest.join("");
      rest = [line];
    }
  }
  if (rest.join("") !== "") yield rest.join("");
}
