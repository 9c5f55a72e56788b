/** Headings of the landing (docs/behaviour.md, Landing). */
export const landingTexts = { heading: "Let's Get Started", started: "Go on with" };
