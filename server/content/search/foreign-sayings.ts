/** The plainest questions in Polish, Spanish, French, German, Portuguese, Romanian and Urdu, in Latin letters. */
export const foreignSayings = [
  {
    words: "can't sleep, insomnia",
    typed: `nie moge spac, bezsennosc, no puedo dormir, insomnio, insomnie, arrive pas à dormir, ich kann nicht schlafen,
      schlaflosigkeit, não consigo dormir, insonia, nu pot dormi, neend nahi aati, neend nahi aa rahi`,
  },
  {
    words: "snoring",
    typed: `chrapanie, chrapie, ronquidos, ronca, ronflement, ronflements, ronfle, schnarchen, schnarcht, sforait,
      kharate`,
  },
  { words: "menopause", typed: "menopauza, menopausia, ménopause, wechseljahre" },
  { words: "nightmares", typed: "koszmary, pesadillas, cauchemars, albtraume, pesadelos, bure khwab" },
  { words: "night sweats", typed: "nocne poty, sudores nocturnos, sueurs nocturnes, suores noturnos" },
];
