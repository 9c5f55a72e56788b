/** The texts of the landing (docs/behaviour.md, Landing), beside the names of topics and sections. */
export const landingTexts = {
  heading: "Let's Get Started",
  started: "Go on with",
  question: "What's your problem?",
  browse: "Or browse",
  allTopics: "All topics",
};
