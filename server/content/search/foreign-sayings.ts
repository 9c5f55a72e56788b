/**
 * The plainest questions in Polish, Spanish, French, German, Portuguese, Romanian and Urdu, in Latin letters. Words of
 * a few of their letters that English has too ("nu", "me", "par") are only in phrases.
 */
export const foreignSayings = [
  {
    words: "can't sleep, insomnia",
    typed: `nie moge spac, nie moge zasnac, nie moge usnac, bezsennosc, problemy ze snem, zasnac, no puedo dormir, no puedo dormirme,
      no consigo dormir, no logro dormir, insomnio, insomnie, insomnies, arrive pas à dormir, peux pas dormir, m'endormir, endormir,
      ich kann nicht schlafen, kann nicht schlafen, kann nicht einschlafen, einschlafen, schlaflos, schlaflosigkeit, schlafstörungen,
      não consigo dormir, nao durmo, dormir, insonia, insônia, nu pot dormi, nu pot adormi, insomnie, adormi, insomnia ka ilaj, neend nahi aati,
      neend nahi aa rahi, neend na aana, neend nahin aati, so nahi sakta, so nahi sakti`,
  },
  {
    words: "waking in the night, waking at night",
    typed: `budze sie w nocy, budze się, wybudzam sie, me despierto por la noche, me despierto de noche, me despierto, despertar por la noche,
      me réveille la nuit, réveil nocturne, réveils nocturnes, me réveille, ich wache nachts auf, wache nachts auf, nachts wach, durchschlafen,
      acordo de noite, acordo à noite, acordo durante a noite, acordar de noite, ma trezesc noaptea, mă trezesc, trezesc noaptea,
      raat ko aankh khul jati, raat ko neend khul jati, aankh khul jati hai, raat ko uth jata, raat ko uth jati`,
  },
  {
    words: "snoring",
    typed: `chrapanie, chrapie, chrapac, chrapię, ronquidos, roncar, ronca, ronco, ronflement, ronflements, ronfle, ronfler, schnarchen,
      schnarcht, schnarche, ressonar, ressona, sforait, sforaitul, sforăie, sforaie, kharate, kharrate, kharatay`,
  },
  {
    words: "sleep apnoea",
    typed: `bezdech senny, bezdech, apnea del sueño, apnea del sueno, apnée du sommeil, apnée, schlafapnoe, atemaussetzer, apneia do sono,
      apneia, apnee in somn, apneea, apnee, saans rukna, saans ruk jati`,
  },
  {
    words: "menopause",
    typed: `menopauza, klimakterium, menopausia, ménopause, wechseljahre, menopausa, hitzewallungen, uderzenia goraca, sofocos,
      bouffées de chaleur, ondas de calor, afrontamentos, bufeuri`,
  },
  {
    words: "nightmares, bad dreams",
    typed: `koszmary, koszmary senne, zle sny, pesadillas, malos sueños, cauchemars, cauchemar, albträume, alpträume, albtraum, pesadelos,
      pesadelo, cosmaruri, coșmaruri, vise urate, bure khwab, daraone khwab, darawne khwab`,
  },
  {
    words: "night sweats",
    typed: `nocne poty, poce sie w nocy, sudores nocturnos, sudo por la noche, sueurs nocturnes, nachtschweiss, nachtschweiß, suores noturnos,
      transpiratii nocturne, raat ko paseena, paseena aata`,
  },
  {
    words: "shift work, night shift",
    typed: `praca na nocki, praca zmianowa, nocna zmiana, nocki, trabajo nocturno, turno de noche, turnos, travail de nuit, travail posté,
      schichtarbeit, nachtschicht, trabalho noturno, trabalho por turnos, turno da noite, munca de noapte, schimb de noapte, tura de noapte,
      raat ki duty, raat ki shift`,
  },
  {
    words: "babies",
    typed: `dziecko nie spi, dziecko, niemowle, mi bebe no duerme, bebe no duerme, mi hijo no duerme, mon bébé ne dort pas, bébé, mein baby schläft nicht,
      baby schlaft nicht, kind schläft nicht, meu bebê não dorme, bebe nao dorme, copilul nu doarme, bebelusul nu doarme, bacha nahi sota,
      bacha sota nahi, bachay`,
  },
  {
    words: "worry, anxiety, racing thoughts",
    typed: `martwie sie, lek, stres, zmartwienia, natlok mysli, ansiedad, preocupaciones, preocupado, preocupada, angoisse, anxiété, soucis,
      angst, sorgen, grübeln, gedankenkarussell, ansiedade, preocupação, anxietate, griji, îngrijorare, pareshani, fikar, ghabrahat`,
  },
  {
    words: "restless legs",
    typed: `niespokojne nogi, zespol niespokojnych nog, piernas inquietas, jambes sans repos, impatiences, unruhige beine, restless legs syndrom,
      pernas inquietas, picioare nelinistite, picioarelor nelinistite, tangon mein bechaini`,
  },
];
