import type { Browser } from "./site.ts";

/** Where asking for each step leads: the step itself where it is shown. */
export async function placesOf(browser: Browser): Promise<(number | string)[]> {
  const places: (number | string)[] = [];
  for (const step of [0, 1, 2, 3, 4]) {
    const { status, location } = await browser.get(`/signup?step=${step}`);
    places.push(status === 200 ? step : (location ?? status));
  }
  return places;
}
