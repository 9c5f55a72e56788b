import type { Saying } from "./sayings.ts";

/**
 * The plainest questions in Polish, Spanish, French, German, Portuguese, Romanian, Urdu, Italian, Dutch, Turkish and Welsh, in Latin letters. Words of
 * a few of their letters that English has too ("nu", "me", "par") are only in phrases.
 */
export const foreignSayings: Saying[] = [
  {
    isComplaint: true,
    words: "can't sleep, insomnia",
    typed: `nie moge spac, nie moge zasnac, nie moge usnac, bezsennosc, problemy ze snem, zasnac, no puedo dormir, no puedo dormirme,
      no consigo dormir, no logro dormir, insomnio, insomnie, insomnies, arrive pas à dormir, peux pas dormir, m'endormir, endormir,
      ich kann nicht schlafen, kann nicht schlafen, kann nicht einschlafen, einschlafen, schlaflos, schlaflosigkeit, schlafstörungen,
      não consigo dormir, nao durmo, dormir, insonia, insônia, nu pot dormi, nu pot adormi, insomnie, adormi, insomnia ka ilaj, neend nahi aati,
      neend nahi aa rahi, neend na aana, neend nahin aati, so nahi sakta, so nahi sakti, non riesco a dormire, riesco a dormire, addormentarmi, insonnia, ik kan niet slapen, kan niet slapen, slapeloosheid, slapeloos, inslapen, uyuyamıyorum, uyuyamiyorum, uykusuzluk, uyku tutmuyor, methu cysgu, methu â chysgu, anhunedd, gallu cysgu`,
  },
  {
    isComplaint: true,
    words: "waking in the night, waking at night",
    typed: `budze sie w nocy, budze się, wybudzam sie, me despierto por la noche, me despierto de noche, me despierto, despertar por la noche,
      me réveille la nuit, réveil nocturne, réveils nocturnes, me réveille, ich wache nachts auf, wache nachts auf, nachts wach, durchschlafen,
      acordo de noite, acordo à noite, acordo durante a noite, acordar de noite, ma trezesc noaptea, mă trezesc, trezesc noaptea,
      raat ko aankh khul jati, raat ko neend khul jati, aankh khul jati hai, raat ko uth jata, raat ko uth jati, mi sveglio di notte, mi sveglio la notte, mi sveglio, risvegli notturni, wakker in de nacht, 's nachts wakker, doorslapen, word wakker, wakker, wakker worden, gece uyanıyorum, gece uyaniyorum, uyanıyorum, deffro yn y nos, deffro`,
  },
  {
    words: "snoring",
    typed: `chrapanie, chrapie, chrapac, chrapię, ronquidos, roncar, ronca, ronco, ronflement, ronflements, ronfle, ronfler, schnarchen,
      schnarcht, schnarche, ressonar, ressona, sforait, sforaitul, sforăie, sforaie, kharate, kharrate, kharatay, russare, russa, snurken, snurkt, horlama, horluyor, chwyrnu, mąż chrapie, maz chrapie`,
  },
  {
    words: "sleep apnoea",
    typed: `bezdech senny, bezdech, apnea del sueño, apnea del sueno, apnée du sommeil, apnée, schlafapnoe, atemaussetzer, apneia do sono,
      apneia, apnee in somn, apneea, apnee, saans rukna, saans ruk jati, apnee notturne, apnea notturna, slaapapneu, uyku apnesi, apnoea cwsg`,
  },
  {
    words: "menopause",
    typed: `menopauza, klimakterium, menopausia, ménopause, wechseljahre, menopausa, hitzewallungen, uderzenia goraca, sofocos,
      bouffées de chaleur, ondas de calor, afrontamentos, bufeuri, vampate, menopauze, opvliegers, menopoz, sıcak basması, menopos, pyliau poeth`,
  },
  {
    words: "nightmares, bad dreams",
    typed: `koszmary, koszmary senne, zle sny, pesadillas, malos sueños, cauchemars, cauchemar, albträume, alpträume, albtraum, pesadelos,
      pesadelo, cosmaruri, coșmaruri, vise urate, bure khwab, daraone khwab, darawne khwab, incubi, incubo, nachtmerries, nachtmerrie, kabus, kabuslar, hunllef, hunllefau`,
  },
  {
    words: "night sweats",
    typed: `nocne poty, poce sie w nocy, sudores nocturnos, sudo por la noche, sueurs nocturnes, nachtschweiss, nachtschweiß, suores noturnos,
      transpiratii nocturne, raat ko paseena, paseena aata, sudorazioni notturne, sudo di notte, nachtzweten, gece terlemesi, chwysu yn y nos`,
  },
  {
    words: "shift work, night shift",
    typed: `praca na nocki, praca zmianowa, nocna zmiana, nocki, trabajo nocturno, turno de noche, turnos, travail de nuit, travail posté,
      schichtarbeit, nachtschicht, trabalho noturno, trabalho por turnos, turno da noite, munca de noapte, schimb de noapte, tura de noapte,
      raat ki duty, raat ki shift, lavoro notturno, turni di notte, lavoro a turni, nachtdienst, ploegendienst, gece vardiyası, gece vardiyasi, gwaith shifft, shifft nos`,
  },
  {
    words: "babies",
    typed: `dziecko nie spi, dziecko, niemowle, mi bebe no duerme, bebe no duerme, mi hijo no duerme, mon bébé ne dort pas, bébé, mein baby schläft nicht,
      baby schlaft nicht, kind schläft nicht, meu bebê não dorme, bebe nao dorme, copilul nu doarme, bebelusul nu doarme, bacha nahi sota,
      bacha sota nahi, bachay, neonato, bambino non dorme, figlio non dorme, baby slaapt niet, bebek uyumuyor, bebeğim uyumuyor, babi ddim yn cysgu, babi`,
  },
  {
    words: "worry, anxiety, racing thoughts",
    typed: `martwie sie, lek, stres, zmartwienia, natlok mysli, ansiedad, preocupaciones, preocupado, preocupada, angoisse, anxiété, soucis,
      angst, sorgen, grübeln, gedankenkarussell, ansiedade, preocupação, anxietate, griji, îngrijorare, pareshani, fikar, ghabrahat, ansia, preoccupazioni, preoccupato, preoccupata, piekeren, kaygı, endişe, stres yapıyorum, pryder, gorbryder, poeni`,
  },
  {
    words: "restless legs",
    typed: `niespokojne nogi, zespol niespokojnych nog, piernas inquietas, jambes sans repos, impatiences, unruhige beine, restless legs syndrom,
      pernas inquietas, picioare nelinistite, picioarelor nelinistite, tangon mein bechaini, gambe senza riposo, rusteloze benen, huzursuz bacak, coesau aflonydd`,
  },
  {
    words: "temperature, cool bedroom",
    typed: `calor, hace calor, chaleur, trop chaud, hitze, zu heiß, zu heiss, za goraco, goraco, upal, fa caldo, troppo caldo, prea cald, caldura,
      muito quente, garmi, bahut garmi, te warm, te heet, çok sıcak, cok sicak, rhy boeth`,
  },
  {
    words: "noise",
    typed: `ruido, mucho ruido, bruit, lärm, halas, rumore, zgomot, barulho, shor, lawaai, gürültü, gurultu`,
  },
  {
    words: "pain",
    typed: `dolor, dolor de espalda, douleur, mal de dos, schmerzen, rückenschmerzen, bole plecow, bol plecow, dolore, mal di schiena, durere, dor nas costas,
      dard, kamar dard, pijn, rugpijn, ağrı, poen cefn`,
  },
  {
    words: "pregnant, pregnancy",
    typed: `embarazada, embarazo, enceinte, grossesse, schwanger, schwangerschaft, w ciazy, ciaza, grávida, gravidez, incinta, gravidanza, insarcinata, hamila,
      zwanger, hamile, feichiog`,
  },
  {
    words: "tiredness, daytime sleepiness",
    typed: `siempre cansado, siempre cansada, cansado, cansada, toujours fatigué, fatigué, fatiguée, immer müde, müde, zmeczony, zmeczona, stanco, stanca,
      obosit, obosita, thakan, altijd moe, yorgun, yorgunum, wedi blino`,
  },
  {
    words: "children, toddlers",
    typed: `niño no duerme, enfant ne dort pas, kind slaapt niet, çocuk uyumuyor, dziecko budzi sie, criança não dorme, copilul se trezeste, plentyn ddim yn cysgu`,
  },
];
