/**
 * `words` are synonyms, separated by commas. `typed` leads to them but is not searched for: it is too wide ("nights"),
 * or no text has it ("the change"). `isComplaint`: a reason for asking; a cause beside it weighs more.
 */
export type Saying = { words: string; typed?: string; isComplaint?: true };

export const bundled: Saying[] = [
  {
    isComplaint: true,
    words: "can't sleep, can't get to sleep, insomnia, sleeplessness, falling asleep",
    typed: `stimulus control, paradoxical intention, scared of not sleeping, never sleep again, can't settle, can't nod off, can't fall asleep, fall asleep, falling to sleep, go to sleep, get to sleep, getting to sleep, drop off, dropping off,
      drift off, nod off, doze off, trouble sleeping, trouble falling asleep, sleepless, insomniac, not sleeping, lie awake,
      lying awake, lay awake, awake all night, awake for hours, no sleep, wide awake, still awake, up all night, hours to sleep,
      hours asleep, won't sleep, unable to sleep, wired, tossing and turning, toss and turn, sleep onset`,
  },
  {
    isComplaint: true,
    words: "waking in the night, waking at night, broken sleep, small hours",
    typed: `wake up at night, night waking, wake in the middle of the night, middle of the night, waking every hour, wake every hour,
      keep waking up, waking up, wake up, interrupted sleep, disturbed sleep, fragmented sleep, stay asleep, staying asleep,
      back to sleep, sleep through, light sleeper, wake at 3, waking at 3, awake at 3, awake at 4, wake at 2, awake at 2, up at 3, 3,
      wake during night, restless night, sleep maintenance`,
  },
  {
    isComplaint: true,
    words: "early waking, waking too early",
    typed: `waking up early, wake up too early, wake too early, wake at 4, wake at 5, waking at 4, waking at 5, wake up at 5,
      wake up at 4, early morning waking, wake so early, awake before alarm, wake before my alarm, early riser`,
  },
  {
    words: "sleep apnoea",
    typed: `epworth, epworth score, AHI, mandibular device, stopping breathing, snorts awake, tonsils, stop breathing, stops breathing, stopped breathing, apnoea, OSA, holds his breath, hold breath, choking in sleep, gasping,
      gasp for air, gasping for air, pauses in breathing`,
  },
  {
    words: "CPAP, mask",
    typed: "breathing machine, air machine, machine, face mask, headgear, pressure machine, apap, bipap",
  },
  {
    words: "sleep clinic, clinic",
    typed: "sleep study, sleep test, test, polysomnography, sleep lab, monitored, oximetry, oximeter",
  },
  { words: "GP, doctor", typed: "physician, surgery, medical help, professional help, specialist, nurse, appointment" },
  {
    words: "children, kids, toddlers",
    typed: `my kid, nursery, bairn, little one, bedwetting, wets the bed, child, son, daughter, little boy, little girl, year old, preschooler`,
  },
  {
    words: "babies, infants, newborn",
    typed: `SIDS, cot death, cot, swaddle, swaddling, dummy, weeks old, months old, week old, month old, wee one, colic, teething, breastfeeding, night feeds, night feed, crying`,
  },
  {
    words: "teenagers",
    typed: `teenager, teen, teens, adolescent, adolescents, young person, my teenage son, my teenage daughter, teenage, sixth form, sleep till noon,
      sleeps till noon, can't get up for school, get up for school`,
  },
  {
    words: "dementia, carers",
    typed: `alzheimers, alzheimer's, memory loss, memory clinic, sundowning, sundowner, wandering at night, wanders at night, confused at night, carer,
      caring for, look after mum, look after dad`,
  },
  {
    words: "pregnant, pregnancy",
    typed: `expecting, bump, trimester, first trimester, third trimester, weeks pregnant, months pregnant, 20 weeks, 28 weeks, 30 weeks, 36 weeks, midwife, mum to be`,
  },
  {
    words: "grief, bereavement",
    typed: `died, died last, passed away, death, lost my mum, lost my dad, lost my husband, lost my wife, widow, widowed, widower, funeral, grieving,
      bereaved, mourning`,
  },
  {
    words: "pain, painful",
    typed: `hurts, hurt, hurting, back pain, bad back, hip pain, joint pain, knee pain, shoulder pain, ache, aches, aching, achy, sore`,
  },
  {
    words: "bruxism, grinding",
    typed: `grinding teeth, teeth grinding, grind my teeth, grinds his teeth, grinds her teeth, clench, clenching, clenched jaw, jaw, jaw ache, TMJ, night guard`,
  },
  {
    words: "sleep paralysis",
    typed: `can't move, couldn't move, unable to move, paralysed, someone in the room, something in the room, figure in the room, sitting on my chest,
      weight on my chest, sleep demon`,
  },
  {
    words: "narcolepsy",
    typed: "cataplexy, sleep attacks, fall asleep without warning, falling asleep anywhere, knees give way",
  },
  { words: "family, families, parents", typed: "parenting, parenthood" },
  {
    words: "nightmares, bad dreams, night terrors",
    typed: `flashbacks, PTSD, trauma, vivid dreams, horrible dreams, scary dream, screams in sleep, scary dreams, night terror, nightmare, screaming`,
  },
  { words: "hot flush, hot flash, flush", typed: "flushing, hot sweats" },
  {
    words: "night sweats, sweats",
    typed: `wringing wet, wringing, nightie, sopping, pouring with sweat, dripping, sweating, sweaty, sweat, sweating at night, soaked, drenched, clammy, wet sheets, damp sheets, wake hot`,
  },
  {
    words: "menopause, perimenopause",
    typed:
      "the change, change of life, time of life, menopausal, perimenopausal, postmenopause, HRT, oestrogen, hormonal",
  },
  { words: "hormones", typed: "HRT, oestrogen, hormonal, hormone replacement" },
  {
    words: "nocturia, toilet, bathroom, loo",
    typed: `widdle, tinkle, overactive bladder, piddle, bladder, pee, peeing, wee, weeing, urinate, urinating, prostate`,
  },
  {
    words: "shift work, shift worker, night shift, night work",
    typed: `nights, working nights, work nights, on nights, shiftwork, nightshift, night shifts, rota, rotas, night worker,
      shift pattern, night duty, shifts, permanent nights, graveyard shift, late shift, early shift, on call`,
  },
  {
    words: "daytime sleep, sleep by day",
    typed: `sleeping during the day, sleep in the day, sleep during the day, day sleeping, sleeping in daylight, sleep in daytime,
      daytime sleeping`,
  },
  { words: "jet lag", typed: "abroad, time zones, time zone, time difference, jetlagged, long haul" },
  { words: "travel", typed: "flying, flight, flights, trip, holiday, plane, airport, abroad" },
  {
    words: "snoring",
    typed: `blocked nose, stuffy nose, bunged up, through my nose, sawing logs, chainsaw, foghorn, freight train, snort, snores, snorer, snorts, noisy sleeper, loud breathing, mouthguard, mouth guard, gum shield, nasal strips`,
  },
  { words: "nap", typed: "siesta, catnap, power nap, forty winks, snooze, doze, dozing, afternoon sleep" },
  {
    isComplaint: true,
    words: "daytime sleepiness, sleepiness, tiredness",
    typed: `narcolepsy, nackered, wiped out, cream crackered, zonked, brain fog, bone tired, sleepy, drowsy, drowsiness, tired, exhausted, exhaustion, fatigue, worn out, shattered, knackered, sleepy in the day,
      no energy, falling asleep at work`,
  },
  {
    words: "worry, worries, racing thoughts, anxiety",
    typed: `heart pounding, pounding heart, heart racing, racing heart, heart thumping, heart beating, palpitations, cringing, ADHD, revision, gcse, gcses, a levels, redundancy, bills, debt, thoughts going round, scared, fear, grief, bereaved, bereavement, churning, embarrassed, regret, racing mind, mind racing, overthinking, overthink, can't switch off, switch off, switching off, stress, stressed,
      stressful, anxious, panic, panic attack, panic attacks, rumination, ruminating, busy mind, busy head, mind won't stop, thoughts,
      thinking, nervous, dread, head full, fretting, brain shut up, brain switch off, mind, brain, turn my brain off, turn off brain,
      worried, exam, exams, interview, money, deadline, tense, problems, problem`,
  },
  {
    words: "relaxation, relax",
    typed: `meditation, meditate, mindfulness, mindful, calm, calming, calm down, unwind, unwinding, wind down, winding down, soothe,
      soothing, hypnosis, yoga nidra, yoga, guided, chill`,
  },
  {
    words: "body scan",
    typed: `bruxism, grinding, grind my teeth, clench, clenching, meditation, mindfulness, muscle relaxation, progressive relaxation, yoga nidra, tense muscles, tension`,
  },
  {
    words: "breathing",
    typed: `breath, breathe, box breathing, 4 7 8, breathing exercise, breathing exercises, breathing technique,
      breathing techniques, deep breathing, deep breaths, slow breathing, breathwork, meditation`,
  },
  {
    words: "quiet stories",
    typed:
      "story, stories, bedtime story, bedtime stories, sleep story, audio book, audiobook, read to me, storytelling",
  },
  {
    words: "cognitive shuffle, racing thoughts",
    typed: `counting sheep, count sheep, sheep, alphabet game, mind game, mental game, distraction, distract, visualisation, visualise,
      imagery`,
  },
  {
    words: "body clock, circadian rhythm",
    typed: `chronotype, delayed sleep phase, lark, stay up late, nocturnal, circadian, internal clock, sleep schedule, sleep pattern, sleep cycle, routine messed up, clocks go back, clocks change,
      clocks go forward, clock change, clocks, daylight saving, night owl, time change, reset, regular time`,
  },
  {
    words: "morning light, light, daylight",
    typed: `light box, light therapy, lightbox, sunlight, sunshine, sun lamp, SAD lamp, bright, too bright, street lamp`,
  },
  {
    words: "darker bedroom, dark, blackout, curtains",
    typed:
      "blinds, blackout blinds, blackout curtains, eye mask, darkness, too light, too bright, summer evenings, streetlight",
  },
  {
    words: "restless legs",
    typed: `periodic limb movement, PLMD, itchy legs, RLS, twitchy legs, legs twitch, jumpy legs, legs jump, leg cramps, cramp, cramps, creepy, crawly, crawling, calves,
      fidgety legs, leg movements, tingling legs, legs`,
  },
  {
    words: "jerk, twitch",
    typed: "body jerks, jerks, hypnic jerk, sleep starts, jolt, jolting, twitching, falling sensation",
  },
  {
    words: "restless sleeper, sharing a bed",
    typed: `kicking, kicks, fidgets, duvet hog, steals the duvet, steals the covers, moves around, separate beds, separate bedrooms,
      separate rooms, different room, different rooms, another room, own room, share a bed, sleep divorce, spare room`,
  },
  {
    words: "caffeine, coffee, tea",
    typed: "espresso, energy drink, energy drinks, cola, coke, latte, decaf, stimulants, red bull, cappuccino",
  },
  {
    words: "alcohol, wine",
    typed: `prosecco, vodka, pints, lager, boozing, sober, stopped drinking, beer, drinking, drink, drunk, booze, nightcap, whisky, gin, pub, hangover, alcoholic`,
  },
  {
    words: "diet, food, eating",
    typed: `snack, snacks, eat, meal, dinner, supper, cheese, chocolate, banana, milk, warm milk, hungry, late meal, heavy meal,
      spicy food`,
  },
  { words: "smoking, nicotine", typed: "cigarettes, cigarette, vaping, vape, smoke" },
  { words: "exercise", typed: "gym, working out, workout, running, jogging, walking, sport, fitness" },
  { words: "overweight", typed: "weight, weight loss, lose weight, losing weight, obese, obesity, bmi" },
  {
    words: "older adults, getting older",
    typed: `get old, got old, old folk, dementia, sundowning, care home, oap, oaps, elderly, old age, old people, older people, aging, seniors, pensioners, pensioner, retired, retirement, at my age,
      my age, grandparents, over 60, over 70, in my 60s, in my 70s, sixties, seventies, eighties, sixty, seventy, eighty, grandma,
      grandad, gran`,
  },
  {
    words: "screens, phone",
    typed: `doomscroll, blue light glasses, youtube, ipads, xbox, playstation, reels, blue light, smartphone, mobile phone, mobile, tablet, ipad, iphone, laptop, computer, television, tv, telly, netflix,
      scrolling, doomscrolling, social media, social, tiktok, instagram, gaming`,
  },
  {
    words: "partner, bed partner",
    typed: `missus, fella, bloke, husband, wife, spouse, boyfriend, girlfriend, other half, hubby, fiance`,
  },
  {
    words: "medicines, medication, sleeping pills, sleeping tablets",
    typed: `antidepressant, antidepressants, sertraline, citalopram, fluoxetine, prozac, prednisolone, furosemide, propranolol, gabapentin, magnesium, ashwagandha, kalms, promethazine, temazepam, diazepam, phenergan, mirtazapine, amitriptyline, steroids, water tablets, pills, tablets, pill, tablet, drugs, sedative, sedatives, antihistamine, prescription, zopiclone, over the counter, nytol,
      sleep aid, sleep aids, side effects, valerian, herbal, supplement, supplements`,
  },
  { words: "melatonin", typed: "sleep hormone, gummies, supplement, supplements" },
  {
    words: "temperature, cool bedroom",
    typed: `nippy, afford to heat, parky, too hot, too cold, too warm, overheating, overheat, hot, cold, heat, heatwave, hot weather, warm, chilly, freezing,
      thermostat, heating, radiator, degrees, temp, cooler, cool down, stuffy, air con, air conditioning, summer, winter, boiling,
      roasting, humid, cold feet, humidity, ice, icy, sweltering, draught, draughty, insulation`,
  },
  {
    words: "bedding, duvet, blankets",
    typed: `duvet wars, duvet war, bedsheets, cot quilt, eiderdown, sheets, quilt, covers, tog, comforter, pyjamas, bed linen, bed clothes, mattress topper`,
  },
  { words: "pillow, pillows", typed: "cushion, neck pillow, neck pain, bolster" },
  {
    words: "noise",
    typed: `alarm, car alarm, dog barking, dogs barking, drilling, building work, shouting, party, footsteps, upstairs, hoovers, hoovering, stomping, thin walls, racket, road works, lorries, bin lorry, sounds, noisy, loud, neighbours, traffic, white noise, background noise, barking, party next door, quiet, sirens,
      street noise, silence, soundscape`,
  },
  { words: "brown noise", typed: "white noise, pink noise, background noise, static" },
  { words: "rain", typed: "rain sounds, rainfall, raindrops, storm, thunder, thunderstorm, nature sounds, rainy" },
  {
    words: "sea, waves",
    typed: "ocean, ocean sounds, ocean waves, beach, seaside, nature sounds, surf, shore, water sounds, tide",
  },
  {
    words: "recording",
    typed: `music, sleep music, audio, sleep sounds, sound, listen, podcast, relaxing sounds, soothing sounds, asmr, lullaby,
      lullabies, something to listen to`,
  },
  { words: "fan", typed: "white noise, fan noise, fan sound, humming" },
  { words: "stars", typed: "stargazing, night sky, camping" },
  {
    words: "sleep hygiene, sleep rules",
    typed: `six hours, seven hours, five hours, 6 hours, 7 hours, 5 hours, orthosomnia, how long should i sleep, sleep habits, good habits, habit, habits, bedtime routine, night routine, hours of sleep, 8 hours, how much sleep,
      enough sleep, how many hours, sleep better, better sleep, sleep tips, sleep advice, sleep well, good night's sleep, advice,
      weekend lie-in, lie-in, myths, sleeping tips, sleeping in, weekends`,
  },
  {
    words: "evening routine, routine",
    typed: "bedtime routine, bedtime battles, bedtime, night routine, settle, settling, bath",
  },
  {
    words: "sleep diary, diary",
    typed: `sleep efficiency, sleep restriction, sleep window, oura, garmin, sleep log, sleep tracker, tracker, tracking, smartwatch, fitbit, log, journal, sleep record, apple watch, sleep app,
      watch says, write down, writing down`,
  },
  {
    words: "clock watching, clock",
    typed:
      "checking the time, check the time, looking at the clock, watching the clock, checking the clock, what time is it",
  },
  {
    words: "on your side, position, the way you lie",
    typed: `comfy, get comfy, comfortable, get comfortable, which side, left side, right side, tennis ball, flat on my back, sleep position, sleeping position, side sleeping, back sleeping, lie on my back, lie on my side, on your back, sleeping on back,
      back sleeper, side sleeper, sleep on my back, sleep on my side, posture`,
  },
  {
    words: "after a bad night, bad night",
    typed: `bad nights, bad night's sleep, terrible night, awful night, rough night, didn't sleep, slept badly, no sleep last night,
      catch up on sleep, sleep debt, catching up`,
  },
];
