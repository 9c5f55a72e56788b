import type { Saying } from "./saying.ts";

/**
 * The plainest questions in Polish, Spanish, French, German, Portuguese, Romanian, Urdu, Italian, Dutch, Turkish and Welsh, in Latin letters. Words of
 * a few of their letters that English has too ("nu", "me", "par") are only in phrases.
 */
export const foreignSayings: Saying[] = [
  {
    isComplaint: true,
    words: "can't sleep, insomnia",
    typed: `nie moge spac, nie moge zasnac, nie moge usnac, bezsennosc, problemy ze snem, zasnac, no puedo dormir, no puedo dormirme, no
      consigo dormir, no logro dormir, insomnio, insomnie, insomnies, arrive pas à dormir, peux pas dormir, m'endormir, endormir, ich
      kann nicht schlafen, kann nicht schlafen, kann nicht einschlafen, einschlafen, schlaflos, schlaflosigkeit, schlafstörungen, não
      consigo dormir, nao durmo, dormir, insonia, insônia, nu pot dormi, nu pot adormi, adormi, insomnia ka ilaj, neend nahi aati, neend
      nahi aa rahi, neend na aana, neend nahin aati, so nahi sakta, so nahi sakti, non riesco a dormire, riesco a dormire,
      addormentarmi, insonnia, ik kan niet slapen, kan niet slapen, slapeloosheid, slapeloos, inslapen, uyuyamıyorum, uyuyamiyorum,
      uykusuzluk, uyku tutmuyor, methu cysgu, methu â chysgu, anhunedd, gallu cysgu, nie moge spac w nocy, w ogole nie spie, nie śpię,
      nie spie, trudno zasnąć, trudno zasnac, jak zasnąć, jak zasnac, bezsenne noce, bezsenność, conciliar el sueño, dormir mejor,
      duermo mal, duermo fatal, no duermo, no duermo nada, me cuesta dormir, problemas para dormir, falta de sueño, je ne dors pas, je
      dors mal, mal dormir, dors plus, n'arrive plus à dormir, trouver le sommeil, troubles du sommeil, troubles de sommeil, pas dormir,
      schlafe schlecht, schlecht schlafen, schlafprobleme, kann nachts nicht schlafen, schlafen, não durmo, durmo mal, dificuldade para
      dormir, nu dorm, dorm prost, somn, non dormo, dormo male, disturbi del sonno, ik slaap slecht, slaap slecht, slaapproblemen,
      slecht slapen, uyuyamam, uyku problemi, uyku sorunu, neend nahi, neend ka masla, neend, soti nahi, cysgu`,
  },
  {
    isComplaint: true,
    words: "waking in the night, waking at night",
    typed: `budze sie w nocy, budze się, wybudzam sie, me despierto por la noche, me despierto de noche, me despierto, despertar por la noche,
      me réveille la nuit, réveil nocturne, réveils nocturnes, me réveille, ich wache nachts auf, wache nachts auf, nachts wach,
      durchschlafen, acordo de noite, acordo à noite, acordo durante a noite, acordar de noite, ma trezesc noaptea, mă trezesc, trezesc
      noaptea, raat ko aankh khul jati, raat ko neend khul jati, aankh khul jati hai, raat ko uth jata, raat ko uth jati, mi sveglio di
      notte, mi sveglio la notte, mi sveglio, risvegli notturni, wakker in de nacht, 's nachts wakker, doorslapen, word wakker, wakker,
      wakker worden, gece uyanıyorum, gece uyaniyorum, uyanıyorum, deffro yn y nos, deffro, budzę się w nocy, budze sie co godzine,
      budzę się, w nocy sie budze, me despierto mucho, me despierto a las 3, me despierto a las tres, me desvelo, despierto de
      madrugada, réveil à 3h, réveillé la nuit, réveillée la nuit, me réveille à 3h, me reveille, me réveille toutes les, je me
      réveille, wache um drei auf, wache um 3 auf, wache immer auf, wache jede nacht auf, aufwachen, acordo às 3, acordo de madrugada,
      acordo toda hora, ma trezesc la, mi sveglio alle tre, mi sveglio alle 3, mi sveglio sempre, wakker om 3, word 's nachts wakker,
      gece 3te uyanıyorum, sürekli uyanıyorum, baar baar aankh`,
  },
  {
    words: "snoring",
    typed: `chrapanie, chrapie, chrapac, chrapię, ronquidos, roncar, ronca, ronco, ronflement, ronflements, ronfle, ronfler, schnarchen,
      schnarcht, schnarche, ressonar, ressona, sforait, sforaitul, sforăie, sforaie, kharate, kharrate, kharatay, russare, russa,
      snurken, snurkt, horlama, horluyor, chwyrnu, mąż chrapie, maz chrapie, chrapanie meza, mój mąż chrapie, moj maz chrapie, żona
      chrapie, przestać chrapać, mi marido ronca, mi mujer ronca, dejar de roncar, mon mari ronfle, ma femme ronfle, arrêter de ronfler,
      mein mann schnarcht, meine frau schnarcht, schnarchen was tun, meu marido ronca, parar de roncar, sotul sforaie, soțul sforăie,
      mio marito russa, mia moglie russa, mijn man snurkt, kocam horluyor, shohar kharate, gŵr yn chwyrnu`,
  },
  {
    words: "sleep apnoea",
    typed: `bezdech senny, bezdech, apnea del sueño, apnea del sueno, apnée du sommeil, apnée, schlafapnoe, atemaussetzer, apneia do sono,
      apneia, apnee in somn, apneea, apnee, saans rukna, saans ruk jati, apnee notturne, apnea notturna, slaapapneu, uyku apnesi, apnoea cwsg`,
  },
  {
    words: "menopause",
    typed: `menopauza, klimakterium, menopausia, ménopause, wechseljahre, menopausa, hitzewallungen, uderzenia goraca, sofocos, bouffées de
      chaleur, ondas de calor, afrontamentos, bufeuri, vampate, menopauze, opvliegers, menopoz, sıcak basması, menopos, pyliau poeth,
      menopauza uderzenia, uderzenia gorąca, uderzenia, menopausa sofocos, sudores menopausia, bouffées, hitzewallung, calores da
      menopausa, fogachos, bufeuri menopauza, caldane, opvlieger, ateş basması`,
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
    typed: `dziecko nie spi, dziecko, niemowle, mi bebe no duerme, bebe no duerme, mi hijo no duerme, mon bébé ne dort pas, bébé, mein baby
      schläft nicht, baby schlaft nicht, kind schläft nicht, meu bebê não dorme, bebe nao dorme, copilul nu doarme, bebelusul nu doarme,
      bacha nahi sota, bacha sota nahi, bachay, neonato, bambino non dorme, figlio non dorme, baby slaapt niet, bebek uyumuyor, bebeğim
      uyumuyor, babi ddim yn cysgu, babi, mi bebé se despierta, bebé se despierta, bebe se despierta, bebé no duerme, recién nacido,
      recien nacido, nouveau-né, se réveille toutes les heures, neugeborenes, baby wacht, baby wacht auf, säugling, recém-nascido, recem
      nascido, bebê acorda, bebe acorda, nou-născut, bebelus, bebeluș, bebelusul, noworodek, noworodka, niemowlę, neonata, bambino
      piccolo, pasgeboren, yenidoğan, yenidogan, bebek, nawzaid, newydd-anedig`,
  },
  {
    words: "worry, anxiety, racing thoughts",
    typed: `martwie sie, lek, stres, zmartwienia, natlok mysli, ansiedad, preocupaciones, preocupado, preocupada, angoisse, anxiété, soucis,
      angst, sorgen, grübeln, gedankenkarussell, ansiedade, preocupação, anxietate, griji, îngrijorare, pareshani, fikar, ghabrahat,
      ansia, preoccupazioni, preoccupato, preoccupata, piekeren, kaygı, endişe, stres yapıyorum, pryder, gorbryder, poeni, nie moge
      przestac myslec, gonitwa mysli, lęk, niepokój, niepokoj, no puedo dejar de pensar, pensamientos, nervios, trop de pensées,
      pensées, stressé, stressée, je pense trop, zu viele gedanken, gedanken kreisen, kopf abschalten, não paro de pensar,
      pensamentos, nu ma pot opri din gandit, ganduri, pensieri, troppi pensieri, malen, gedachten, düşünceler, düşünmekten, sochta
      rehta, sochti rehti, meddyliau`,
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
    typed: `ruido, mucho ruido, bruit, lärm, halas, rumore, zgomot, barulho, shor, lawaai, gürültü, gurultu, hałas, glosni sasiedzi, sąsiedzi,
      sasiedzi, vecinos ruidosos, vecinos, voisins, voisins bruyants, nachbarn, laute nachbarn, vizinhos, vecini, vicini rumorosi,
      vicini, buren, komşular, komsular, parosi, cymdogion`,
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
    typed: `siempre cansado, siempre cansada, cansado, cansada, toujours fatigué, fatigué, fatiguée, immer müde, müde, zmeczony, zmeczona,
      stanco, stanca, obosit, obosita, thakan, altijd yorgun, yorgunum, wedi blino, zmęczony, zmęczona, ciagle zmeczona, ciagle
      zmeczony, cansancio, agotado, agotada, épuisé, épuisée, erschöpft, müdigkeit, cansaço, exausto, exausta, oboseala, sempre
      stanco, sempre stanca, uitgeput, sürekli yorgun, thaka hua, thaki hui, blinedig`,
  },
  {
    words: "children, toddlers",
    typed: `niño no duerme, enfant ne dort pas, kind slaapt niet, çocuk uyumuyor, dziecko budzi sie, criança não dorme, copilul se trezeste,
      plentyn ddim yn cysgu, budzi się w nocy, nie chce spać, nie chce spac, no quiere dormir, mi hija no duerme, niños no duermen, ne
      veut pas dormir, mon enfant ne dort pas, ma fille ne dort pas, mon fils ne dort pas, will nicht schlafen, tochter schläft nicht,
      sohn schläft nicht, não quer dormir, filho não dorme, filha não dorme, nu vrea sa doarma, non vuole dormire, mia figlia non dorme,
      wil niet slapen, uyumak istemiyor, bachay nahi sotay`,
  },
  {
    words: "rain",
    typed: `szum deszczu, deszcz, deszczu, lluvia, sonido de lluvia, pluie, bruit de pluie, regen, regengeräusche, chuva, barulho de chuva,
      ploaie, sunet de ploaie, pioggia, yağmur, yagmur, yağmur sesi, barish, glaw`,
  },
  {
    words: "sea, waves",
    typed: `szum morza, morze, fale, olas, olas del mar, bruit de la mer, vagues, meer, meeresrauschen, wellen, ondas do mar, marea, valuri,
      onde del mare, golven, deniz sesi, samundar, sŵn y môr`,
  },
  {
    words: "sleeping pills, sleeping tablets",
    typed: `tabletki nasenne, leki nasenne, pastillas para dormir, somníferos, somniferos, somnifère, somnifères, somnifere, schlaftabletten,
      schlafmittel, comprimidos para dormir, remédio para dormir, remedio para dormir, somnifer, pastile de somn, pastiglie per dormire,
      sonniferi, sonnifero, slaappillen, slaapmiddel, uyku ilacı, uyku ilaci, uyku hapı, neend ki goli, neend ki dawa, tabledi cysgu`,
  },
  {
    words: "coffee, caffeine",
    typed: `kawa, café por la noche, demasiado café, trop de café, kaffee, koffein, cafeína, cafeina, caféine, kofeina, cafea, caffè, koffie,
      cafeïne, kahve, kafein, coffi`,
  },
  {
    words: "nap",
    typed: `drzemka, drzemki, sieste, nickerchen, mittagsschlaf, sesta, soneca, pui de somn, pisolino, dutje, middagdutje, şekerleme,
      qailula, cyntun`,
  },
  {
    words: "nocturia, toilet",
    typed: `sikanie w nocy, toaleta w nocy, chodzę do toalety, orinar por la noche, orino mucho, ir al baño, baño por la noche, uriner la
      nuit, pipi la nuit, toilettes la nuit, nachts auf die toilette, nachts auf toilette, harndrang, urinar à noite, urinar de noite,
      xixi à noite, urinez noaptea, pipì di notte, urinare di notte, 's nachts plassen, plassen, gece tuvalet, tuvalete, raat ko peshab,
      peshab`,
  },
  {
    words: "dementia",
    typed: `demencja, demencia, démence, demenz, demência, demenza, dementie, demans, bunama, alzheimer`,
  },
  {
    words: "teenagers",
    typed: `nastolatek, nastolatka, adolescente, adolescentes, teenager schläft, jugendliche, adolescent doarme, tiener,
      tieners, ergen, arddegau`,
  },
];
