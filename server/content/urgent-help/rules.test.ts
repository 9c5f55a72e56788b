import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { topics } from "../search/suggestions.ts";
import { createHelpMatcher } from "./rules.ts";
import { readUrgentHelp } from "./urgent-help.ts";

const { findFor, words } = readUrgentHelp();
const isFound = (text: string) => findFor(text) !== undefined;
const list = (...lines: string[]) => lines.flatMap((line) => line.split("|"));

const despair = list(
  "id be better off not here|i feel like disappearing forever|theyd get over it if i wasnt around",
  "just want the pain to end for good|if i crash the car nobody will know it was on purpose",
  "kill myself|want to die|self harm|self-harm|suicide|kms|end it all|don't want to live",
  "I don’t want to live anymore|want to be dead|cutting myself|cutting|overdose|took too many pills|suicidal",
  "better off without me|someone is hurting me|I am in danger|in danger|i want to kill myself",
  "how to kill myself|killing myself|kill my self|killmyself|kil myself|kill mysefl|kill myslef|klil myself",
  "killl myself|kill mysekf|jill myself|wanttodie|wnat to die|want to dei|want to diie|i wanna die|wanna die",
  "i wan to die|wna die|want 2 die|suicde|sucide|siucide|suiciide|suicude|suiciddal|suicidl|suidical",
  "sui cide|su1cide|commit suicide|suicidal thoughts|overdse|ovredose|overdosse|over dose",
  "overdosed on paracetamol|took 30 paracetamol|took twenty tablets|took all my tablets",
  "I've taken too many sleeping pills|swallowed a bottle of pills|took a whole packet of paracetamol",
  "taken a handful of pills|how many paracetamol to die|how many sleeping pills would kill you",
  "how much melatonin is a lethal dose|lethal dose of zopiclone|self-harming|selfharm|self hram|self injury",
  "hurt myself|hurting myself|harm myself|i keep hurting myself|cut my wrists|cut myself|cutting my arms",
  "slit my wrists|urge to cut|hang myself|hanging myself|drown myself|jump off a bridge",
  "jump in front of a train|throw myself under a train|end my life|ending my life|end my own life",
  "take my own life|take my life|want to end it|i want it to end|want it all to stop|wish i was dead",
  "wish I were dead|i wish i was never born|wish i wasn't here|i wish i could die in my sleep",
  "hope i don't wake up|don't want to wake up|dont want to wake up tomorrow|go to sleep and never wake up",
  "sleep forever|never wake up|want to disappear|no reason to live|nothing to live for",
  "whats the point of living|life is not worth living|not worth living|tired of living|tired of life",
  "sick of being alive|i don't want to be here anymore|don't want to be alive|dont want to exist|can't go on",
  "I can't go on like this|cannot go on|can't do this anymore|cant take it any more|can't cope anymore",
  "everyone would be better off without me|they'd be better off without me|no one would miss me",
  "nobody would miss me|better off dead|unalive myself|unalive|kys|how to die|painless ways to die",
  "easy way to die|thoughts of killing myself|thinking about ending it all|my son wants to kill himself",
  "my friend is suicidal|my husband wants to die|he is hurting me|my husband hits me",
  "my partner is hurting me|he hits me|husband beats me|someone is trying to kill me",
  "he threatened to kill me|he is going to kill me|being abused|abusive husband|domestic abuse",
  "domestic violence|i'm not safe|not safe at home|I don't feel safe at home|don't feel safe",
  "scared of my husband|afraid of my partner|raped|my boyfriend is strangling me|kill me|please kill me",
  "just kill me|i want someone to kill me|ready to die|rather be dead|I'd rather die|let me die|i want death",
  "samaritans|suicide helpline|can't keep myself safe|want to hurt myself|thoughts of self harm",
  "i feel like dying|i can't live like this anymore|want to hurt my baby|thoughts of harming my baby",
  "KILL MYSELF|k!ll myself|i want to d1e|dont want 2 live|i want to sleep and not wake up|giving up on life",
  "goodbye note|i took 20 ibuprofen|OD on pills|took to many pills|took too mnay pills|too many tablets",
  "want too die|i wish i'd never been born|nothing left to live for|fed up with living",
  "want to end everything|insomnia makes me want to die|can't sleep want to die|so tired I want to die",
  "i hate being alive|suicidal ideation|su*cide|wanna kms|wana die|dont wanna live",
  "dont wanna be here anymore|i dont wanna be alive|self harm urges|they are abusing me|my dad hurts me",
  "mom hits me|i am being threatened|i'm being attacked|want my life to end|put an end to my life",
  "ended my life|i tried to kill myself|tried to end my life|suicide attempt|i plan to die",
  "planning to kill myself|i deserve to die|i need to die|should I kill myself|kill yourself",
  "how do i end my life|ready to end it|ready to end my life|i've cut myself|i've taken an overdose",
  "drank bleach|swallowed bleach|took rat poison|i want to be killed|wish i wasnt born|wish i never existed",
  "i dont see the point in living anymore|whats the point in living|what is the point of being alive",
  "life isn't worth living anymore|i don't deserve to live|i shouldn't be alive|id be better off dead",
  "im better off dead|everyone better off if im dead|world is better off without me",
  "my family would be better off without me|nobody cares if i die|no one would notice if i died",
  "i want to go to sleep and never wake up|wish i could sleep and never wake up|hope i never wake up",
  "i hope i die in my sleep|pray i don't wake up|let me not wake up|want to sleep for ever",
  "i want to stop existing|i've had enough of life|had enough of living|life is pointless|no will to live",
  "lost the will to live|i've lost the will to live|feeling suicidal|feel suicidal|suicidel|sucidal|suisidal",
  "commiting suicide|attempted suicide|survived suicide|thinking of suicide|suicide methods",
  "swallow all my tablets|took all my meds|took too many sleeping tablets|had too many paracetamol",
  "overdosing on melatonin|accidental overdose|i took 40 pills|just took 50 tablets",
  "eaten a box of paracetamol|cut my arms|cuts on my wrist|slashing my wrists|burn myself with cigarettes",
  "burning myself|hitting myself|punch myself|starve myself|strangle myself|shoot myself|stab myself",
  "poison myself|gas myself|i hurt myself on purpose|hurting myself on purpose|jump off a building",
  "jumping off a bridge|jump infront of train|jump under a train|throw myself off a cliff",
  "walk in front of a car|walk into traffic|crash my car on purpose|drive into a wall|hang my self",
  "tie a noose|my husband wants to kill me|husband threatens to kill me|partner threatened me",
  "my ex is stalking me|my dad hits me|my mum beats me|my boyfriend beats me up|my wife attacks me",
  "i'm being beaten|he raped me|i was raped|i was assaulted|someone broke into my house",
  "someone is in my house|i am being hurt|help me i'm in danger|im not safe here|i feel unsafe",
  "i feel unsafe at home|scared for my life|afraid for my life|scared he will hurt me|scared of him",
  "afraid to go home|he won't let me leave|held hostage|he chokes me|he pushed me down the stairs",
  "they're hurting me|he's hurting me|she's hitting me|child abuse|sexual abuse|harm my baby",
  "going to hurt my child|i might hurt my baby|my daughter is self harming|my teenager is cutting herself",
  "my friend wants to die|how to help a suicidal friend|my dad killed himself|he wants to end his life",
  "unaliving myself|un alive|i wanna kms|kmsss|imma kms|gonna kill myself|going 2 kill myself|want2die",
  "i wanna d!e|kill meeee|idk if i want to live|dont know if i want to live|do i want to live",
  "i cba to live anymore|dont wanna exist|i dont wanna wake up|cant do this no more|cant take this anymore",
  "i cant do it anymore|i can not go on|i cannot live like this|i can't live anymore|i give up on life",
  "im done with life|im done living|goodbye letter|writing a suicide note|am i suicidal|wnt to die",
  "wanting to die|die die die|i must die|i have to die|i should just die|why can't i just die|can i just die",
  "please let me die|somebody kill me|end my suffering|put me out of my misery|hospital overdose|crisis",
  "mental health crisis|emergency mental health|suicide hotline|999|call 999|116 123|nhs 111",
  "someone to talk to suicidal",
);

const ordinary = list(
  "how do i make eye bags disappear forever|would my partner sleep better if i wasnt snoring",
  "dying to sleep|killing time|dead tired|night shift is killing me|snoring is killing my marriage",
  "cutting caffeine|sleep or die trying|his snoring is killing me|my back is killing me",
  "my feet are killing me|this insomnia is killing me|it's killing me|cutting down on caffeine",
  "cut out coffee|cutting back on alcohol|cutting out sugar|cut down screen time|cut myself some slack",
  "dying for a good night's sleep|dying for sleep|a mattress to die for|to die for|sleep like the dead",
  "dead to the world|dead on my feet|dead asleep|dead arm at night|dead leg|die hard",
  "can you die from lack of sleep|can insomnia kill you|can sleep apnoea kill you|will sleep apnoea kill me",
  "does snoring kill|is sleep apnoea fatal|fatal familial insomnia|dying in your sleep",
  "fear of dying in my sleep|scared i will die in my sleep|afraid of dying at night|cot death",
  "sudden infant death|death of my husband|grief after a death|my mum died|my dog died|bored to death",
  "scared to death|tired to death|worried sick|deadline stress|dead line|phone battery dead|pillows",
  "sleeping pills|pills|can i take two pills|take 2 tablets",
  "take 10mg melatonin|take 10 mg melatonin|how much melatonin should I take|melatonin side effects",
  "are sleeping pills dangerous|dangers of sleeping pills|too many pillows|too many naps|too much coffee",
  "too much caffeine|take pills with alcohol|paracetamol at night|husband hits me in his sleep",
  "partner punches me in his sleep|he kicks me in his sleep|husband attacks me while sleeping",
  "nightmares about being attacked|nightmare someone is trying to kill me|dream someone is hurting me",
  "hurt myself sleepwalking|hurt my back|my back hurts|my hips hurt at night|hurting hips|self care",
  "self help|self hypnosis|self soothing|myself|end of the night|end of my shift|end the snoring|the end",
  "ending therapy|end to insomnia|end it with a hot drink|never wake up refreshed",
  "don't want to wake up at 3am|don't want to wake up early|can't wake up|can't wake up in the morning",
  "i never wake up rested|baby won't wake up|waking up tired|wake up at night|can't go on holiday",
  "can't go on night shifts|can't cope with night shift|can't take melatonin anymore|can't sleep anymore",
  "don't want to live near a road|don't want to live with a snorer|hate living next to a road",
  "tired of living next to a pub|live longer with more sleep|sleep and life expectancy|want to dye my hair",
  "want to diet|want to read|want to lie down|want dad to sleep|want to do exercise|how to do yoga",
  "how to diet|shooting pains in legs|shoot the breeze|legs jump at night|jump out of bed|jumping legs",
  "hang on|hanging plants|hang a blackout curtain|drowning out noise|drown out the noise|drown out snoring",
  "choking in my sleep|choking awake|suffocating at night|gasping for air|cpap is choking me|driving tired",
  "falling asleep on the motorway|driving on the motorway tired|walking on a train|sleep on a train",
  "danger of driving tired|in danger of falling asleep at the wheel|is it dangerous to sleep too much",
  "i don't want to die|am I going to die|is my heart going to stop|harmful effects of blue light",
  "does crying it out harm my baby|can melatonin hurt my baby|will cosleeping hurt my baby",
  "killer whale sounds|kill the lights|kill bed bugs|killing bed bugs|pain killers|painkillers and sleep",
  "skill|overdue|overdoing it|overdone exercise|overheating|oversleeping|overtired toddler|beat insomnia",
  "beating insomnia|beat jet lag|beat the clock|husband snores|my husband is killing me with his snoring",
  "my partner's snoring is hurting me|kids are killing me|work is killing me",
  "these hours will be the death of me|to be the death of me|silence the noise|life hacks|lifeless",
  "life of a shift worker|take over my life|insomnia is taking over my life|ruining my life",
  "insomnia ruined my life|get my life back|take my life back|no energy to live|want to stop snoring",
  "mouth tape|tape mouth|white noise|brown noise|weighing 70 kgs|my father died|headline|want it to be dark",
  "i want everything to be quiet|wish i could sleep|wish i was asleep|hope to sleep|want to sleep",
  "i want to be asleep|not worth it|is cpap worth it|point of sleep|what's the point of dreams",
  "goodbye insomnia|give up coffee|give up smoking|giving up alcohol|disappearing sleep|5 kms run before bed",
  "running 10 kms|abuse of caffeine|alcohol abuse|sleeping tablet abuse|safe sleep for babies",
  "is melatonin safe|not safe to drive|don't feel safe driving|feel safe in bed|cut finger|cutlery|haircut",
  "short cut to sleep|top up sleep|top myself up with a nap|nap myself awake|wear myself out|tire myself out",
  "talk myself to sleep|breathe myself to sleep|read myself to sleep|cry myself to sleep",
  "rock myself to sleep|work myself to death|bridge the gap|train my baby|train to sleep|walk before bed",
  "walking in traffic noise|menopause|night sweats|snoring|restless legs|iron|hang over|hangover",
  "gas and bloating at night|harm reduction|farm noise|warm milk|poisoning food|starving at night|skip meals",
  "my husband could wake the dead with his snoring|snoring loud enough to wake the dead",
  "i could sleep for a week|i could murder a coffee|murder mystery podcast to sleep",
  "true crime podcasts and sleep|crime podcast|sleep debt is killing my concentration|nights are killing me",
  "hot flushes are killing me|menopause is killing my sex life|killing my back|mattress killing my back",
  "jet lag kills me|these night feeds are killing me|kill the noise|kill blue light|kill switch",
  "cut the caffeine|cut alcohol before bed|cutting naps short|cutting out naps|cutting sugar|cutting screens",
  "cut back|teeth cutting baby sleep|baby cutting teeth|toddler cutting molars|cutting a nap|nail cutting",
  "crosscut|sleep is overrated|die of tiredness|dying of heat at night|dying of thirst at night",
  "dying from heat|dying plants in bedroom|die young if you sleep less than 6 hours",
  "how long can you go without sleep before you die|how long can you survive without sleep",
  "does lack of sleep shorten your life|shorten life|live with insomnia|living with sleep apnoea",
  "living with a snorer|living with cpap|living alone and sleep|how to live with tinnitus",
  "want to live longer|i want to live near the sea|life after menopause|end of daylight saving|end of summer",
  "ending a nap|end stage renal failure sleep|when will it end|will the hot flushes ever end",
  "make it stop raining sound|stop the snoring|stop my mind racing|i want it to stop snoring",
  "want my mind to stop|want my legs to stop|want the noise to stop|wish it was morning",
  "wish i was a morning person|wish i had more energy|hope for better sleep|try to sleep",
  "trying to stay asleep|need to wake up early|need to be awake|need to wake up at 5|wake up dead tired",
  "feel dead in the morning|feel half dead|feeling dead|i feel like death|like death warmed up",
  "feel like death warmed up|looks like death|sleeping like a baby|sleep of the dead|day of the dead",
  "dead of night|dead hour|dead air|deadlift|deadly nightshade|lethal tiredness|fatal fatigue",
  "fatal crash tired driver|drowsy driving deaths|drowning in work|drowning in sleep|dream of drowning",
  "dreams about death|dream about dying|dreaming of dead people|nightmares about death",
  "nightmare of being killed|nightmares of being chased|dreamt someone was killing me",
  "dream that someone is trying to kill me|sleep paralysis someone attacking me",
  "someone in my room sleep paralysis|sleepwalking hurt himself|hitting myself in my sleep",
  "hurt himself sleepwalking|scratch myself in my sleep|biting myself in my sleep|hit my head|hit the snooze",
  "hit the sack|hit by tiredness|beat tiredness|beats to sleep to|binaural beats|heart beats fast",
  "punching in sleep|partner lashes out in sleep|partner thrashes about|husband hits me while dreaming",
  "wife kicks me in bed|kicked in sleep|restless partner|afraid of the dark|afraid of sleep|scared to sleep",
  "scared of the dark|scared of my dreams|fear of sleep|toddler scared of monsters|afraid of cpap",
  "afraid of flying|is it safe to sleep on my back|safe melatonin dose|melatonin dose",
  "dose of melatonin for adults|max dose of melatonin|maximum dose paracetamol|how many hours sleep",
  "how many naps|how many mg melatonin|how much caffeine is too much|how much deep sleep|take 5 deep breaths",
  "took 3 hours to fall asleep|takes 30 minutes to fall asleep|taking two tablets|take one tablet",
  "take half a tablet|take tablets with water|best time to take tablets|taking tablets at night",
  "take my tablets at night|take all my tablets in the morning|blood pressure tablets and sleep",
  "bottle of wine|bottle feeding|hot water bottle|box breathing|packet of crisps|drinking water at night",
  "drank too much wine|drank coffee late|too many blankets|too many thoughts|too many dreams",
  "too many screens|too many night shifts|too much light|overactive bladder|overthinking|overnight",
  "overweight|overstimulated|oversleep|self talk|self compassion|self employed|self esteem|selfish|harmony",
  "hurting legs|hurts to sleep|hurt neck|hip hurts|burning feet|burning legs at night|burning mouth",
  "burning the candle at both ends|burn out|burnout|hang gliding|hammock|bridge|bridge exercise|jumpy legs",
  "jump awake|jumping awake|falling dreams|jumping on the bed|window open at night|sleep by the window",
  "train noise|trains at night|sleeping on trains|sleeping in the car|sleep in car|traffic noise",
  "car crash tired|step counter|throw off the covers|throwing covers off|throw the duvet off the bed",
  "run before bed|walk in the morning|lie in|lie on my side|lie under a blanket|lay on my back|shots",
  "flu shot|gas|electric blanket|electrocution dream|child sleep|child wont sleep|baby wont sleep|shake",
  "protein shake before bed|smothered by duvet|want to hug my baby|want to help my baby sleep",
  "i shook my husband awake|shaking at night|euphoria|digital detox|dignity|samarium|hotline|helping|helpful",
  "headlines|abrasive|abuse of sleeping pills|tape my mouth|drapes|rapid eye movement|rap music|noises|moose",
  "nose strips|goose down pillow|loose tooth|kilometres|10 kms|keys|kids|kiss|kilo|reason for waking",
  "reasons to nap|no reason to wake|nothing works|nothing helps|nothing to do|point of naps",
  "no point going to bed|worth it|not worth waking|tired of waking up|tired of being tired",
  "sick of being tired|sick of waking|sick and tired|fed up with waking|fed up of snoring",
  "done with night shifts|hate mornings|hate my bed|give up alcohol|miss me|miss my husband|missing sleep",
  "better sleep|better off sleeping apart|better without a pillow|better without him",
  "happier without caffeine|goodnight|good night|goodbye jet lag|farewell|final night shift|disappointed",
  "disappear|vanish|i never sleep|never sleeping|never wakes up rested|forever tired|why am i still awake",
  "why am i awake|why am i alive and kicking at 3am|in dangerous heat|stranger|stranger things|in anger",
  "husband in danger of losing license|kicks|attack of nerves|panic attack|panic attacks at night",
  "heart attack|asthma attack|attack of hiccups|assault course|off to bed|do not disturb|top up|top tips",
  "is melatonin any good for kids|is surgery the only way to stop snoring|my kids need me at night",
  "how do i fall asleep and not wake at 3am|racing thoughts are worse tonight",
  "he said no more screens before bed|my wife says dont snore|my wife got some nytol",
  "my boss sent me a note about being late|i write notes to clear my head",
  "if it wasnt for the noise i wouldnt wake up|no reason to go to bed early",
  "it doesnt matter if i sleep or not|might as well get up and read|might as well give up on sleep",
  "last time i saw 6am i was at a party|swimming in the sea before bed|i cant see the clock",
  "should the cot be here|no hope of going back to sleep|tell me where i will find the course",
  "losing the battle with insomnia|i planned everything for the holiday|my snoring is a problem for my wife",
  "we live by the railway|he said i wont need the mask|does travel insurance cover cpap",
  "doctor said no to sleeping tablets|nothing left to watch at night",
  "cant go on like this with a newborn up every hour|want to sleep forever its so cosy",
  "everyone else is asleep without me|want to disappear under the duvet",
  "my life is ruined by shift work sleep|walking in traffic noise",
);

// As people write who have not read the list, also in Spanish, French, German, Polish and Urdu.
const plain = list(
  "thinking about killing myself all day|i overdosed last night|how many zopiclone is it safe to take",
  "he grabbed me round the throat|dad touches me when mum is out|i want to smother the baby",
  "voices keep telling me to do it|i need to cut|my sister is suicidal|suisidle|wanna be dead",
  "jumping off a bridge tonight|why dont i just kill myself|j'ai envie d'en finir|chcę skończyć z życiem",
  "I've decided to kill myself tonight|what is the quickest way to die|my mate has overdosed what do i do",
  "how many zopiclone would be fatal|what happens if i take a whole packet of sleeping tablets",
  "i cut my arms again last night|i want to slit my wrists|my husband is threatening to kill himself",
  "i hope i dont wake up tomorrow|i want to hang myself|my partner beats me|my husband rapes me",
  "my mums boyfriend hits me|im scared to go home because of my partner",
  "someone is following me and i am scared|thoughts of smothering my newborn",
  "the voices say i should hurt people|cant stop thinking about killing myself|ready to end my life",
  "ive been stockpiling my tablets|wanna kms so bad|sucidal and alone|dont want 2 b here nemore",
  "i just wanna die lol|she wont stop hurting herself|does drowning hurt|best way to kill yourself",
  "my toddler swallowed my sleeping pills|im on a bridge and i want to jump",
  "i was sexually assaulted as a child|my coach touched me|my parents beat me",
  "he put his hands round my throat|im being stalked by my ex|i am in danger from my husband",
  "life isnt worth living any more|better off dead|i feel suicidal at 3am",
  "accidentally took double my dose of tramadol|what is a lethal dose of propranolol|quiero suicidarme",
  "ya no puedo mas|j'ai envie de mourir|mon mari me frappe|ich möchte mich umbringen|chcę umrzeć",
  "myśli samobójcze|mujhe marna hai|jeena nahi chahti|my nan has swallowed a load of her heart tablets",
  "whats the max number of paracetamol before its dangerous|would 30 sertraline kill me",
  "i want to take all my pills|my sister has cut her wrists|my boyfriend says hell kill himself if i leave",
  "i punched myself until i bruised|relapsed and cut|where to cut to die|thinking about hanging",
  "i nearly stepped in front of a bus|i have a rope round my neck|final goodbye to my kids|ready to die",
  "wish i would never wake up|dont wnat to be alive|i cant live anymore|better if i was dead",
  "he put a pillow over my face|my wife throws things at me|my dad slaps me|my cousin makes me touch him",
  "someone raped me last night|my ex broke in|he has a gun in the house|my partner is abusive",
  "not safe with my dad|thoughts about drowning my baby|voices in my head want me to die",
  "i feel like stabbing someone|suiside|kil my self|sewer slide thoughts|im going to end my life wait",
  "crisis line please|help im going to hurt myself|tengo ganas de morir|mi novio me golpea|je vais me tuer",
  "ich will mich umbringen|mein leben hat keinen sinn mehr|chcę się powiesić|khud ko khatam kar lun",
  "mera husband mujhe maarta hai|I took an overdose about an hour ago and now I'm frightened",
  "how many of my tablets would it take|mum has swallowed all her tablets",
  "partner took an overdose please help|i feel suicidal|ive attempted suicide before|plan to commit suicide",
  "thinking of killing myself|might as well kill myself|i want to be killed in my sleep|i keep cutting",
  "burning my skin with a lighter|urges to self harm|want to walk into traffic|how to suffocate yourself",
  "i want a painless death|id rather be dead|i should be dead|no longer want to live|lost the will to live",
  "i have nothing to live for|im a danger to myself|my partner forces himself on me at night",
  "my ex threatened to kill me|hes hurting my kids|my brother rapes me|childhood sexual abuse nightmares",
  "someone has hurt me|someone is threatening me|scared of my stepdad|i am afraid my husband will hurt me",
  "i had a thought of stabbing my baby|shook the baby to stop her crying|voices telling me to hurt myself",
  "i cba with life|sui|i wanna kil myself|killmyselff|end my like|self ham|my girlfriend self harms",
  "how do i stop my friend from suicide|no quiero estar aqui|mi padre me pega|je vais mettre fin à mes jours",
  "ich denke an selbstmord|ich will tot sein|nie chce mi się żyć|khudkushi|abbu mujhe marte hain",
  "driven to the cliffs dont know what to do|might kill someone|will 50 codeine tablets kill me",
  "how to end it painlessly|i have a knife and i want to use it on myself",
  "my uncle does things to me at night|can you die from 20 nytol",
  "he pins me down and wont stop when i say no|i have urges to kill my flatmate",
  "ive taken 3 packs of aspirin what now|i need to cut right now|he makes me do stuff i dont want to",
  "grandson told me his teacher touches him",
  "i cut again and its deep|i think my stepdad is going to come in my room again|i hear my dead nan telling me to join her",
);

// The same without its name: no way out, goodbyes, a burden, letters, a place to jump.
const indirect = list(
  "nobody would miss me if i went|ive got nothing left to give|i feel like ending things",
  "i want it to be over now|ive packed up my things for my family|i wont be a bother to anyone much longer",
  "i cant see the light anymore|there isnt a way forward for me|i just want to sleep for good",
  "i wish the night would take me|i said goodbye to my kids tonight|at the station thinking of jumping",
  "life has beaten me|i dont want to be me any more|i want everything to stop",
  "i am so tired of living this way|i cant go through this again|i dont see any hope",
  "ive run out of reasons to live|everyone is sick of me|would anybody notice if i vanished",
  "wish i could disappear forever|i wish my life was over|dont want to wake up in the morning",
  "i want to leave this world|i want to escape it all|i have no reason to get up any more",
  "there is nothing here for me|i cant forgive myself|hate who i am|i dont want to fight anymore|i quit life",
  "this is my last message|who will look after my kids when im dead|left letters for everyone",
  "i keep looking at the bridge|im on top of the building|ive got the tablets in my hand",
  "ive made my decision|im scared of myself|i need someone to stop me|thoughts of ending things",
  "breaking point tonight|i cant bear this pain|i want to be with my dead husband|im scared of him",
  "he says its my fault he hits me",
  "everyone would be happier if i was gone|im just a burden|there is no point in me being here",
  "i have nothing to look forward to|i just want to disappear|wouldnt mind if i didnt wake up",
  "nobody would care if i was dead|i hate myself so much|im a failure and a disappointment",
  "everything is hopeless|cant see a way forward|im done with everything|i give up on everything",
  "the pain is too much to bear|i cant cope with life|tired of everything|exhausted by life",
  "i cant hold on any longer|ive made my will and sorted my affairs|saying goodbye to everyone",
  "you wont have to worry about me soon|its time for me to go",
  "ive been looking at train times and standing on the platform|im on the roof|i have a plan",
  "scared of what i might do tonight|im going to do something stupid",
  "i want to join my husband he died last year|i dont deserve to be here",
  "i ruin everyones life id be doing them a favour if i was gone|i dread waking up alive",
  "i keep thinking everyone would cope fine without me|i have nothing left",
  "he controls all my money and who i see|i dont feel safe in my own house",
  "im scared of my dad when he drinks|i have no way out of this|there is nothing left for me",
  "life feels pointless|why bother living|nobody would notice if i wasnt here|im dragging everyone down",
  "im worthless and pathetic|im so ashamed i cant live with myself|i cant face life",
  "dont know how much longer i can do this|im at breaking point|i am finished|my life is finished",
  "i dont have the strength to carry on|im tired of being here|tired of this life",
  "i want to be free of this pain|i want this pain to end|please make it stop",
  "i wish i could close my eyes and never open them|it would be easier if i just died",
  "death would be peaceful|wondering what it would be like to be dead|ive sorted out my will",
  "ive given my jewellery away|ive said goodbye to my family|sorry to everyone ill be gone soon",
  "not going to be here much longer|i want to see my dead mum again soon|walking to the bridge",
  "i have a stash of tablets|ive decided how|its too late for me|i cant stand being me|feel like im nothing",
  "dont leave me alone with my thoughts|i dont want to carry on|i dont want to see the morning",
  "it would be better if i wasnt around|my children would be better off with someone else",
  "i dont matter to anyone|i feel like giving up|ready to give up|ive got no fight left",
  "im exhausted from living|there is no reason to carry on|i see no light at the end of the tunnel",
  "the only way to stop the pain|i cant live like this|i cant take this any more|i cant cope any longer",
  "dont think i can get through tonight|trapped and hopeless|my life is worthless|life is meaningless",
  "i have nothing to lose|ive lost hope|i dont see myself being here next year|this is the end for me",
  "i just want it over with|wish i could sleep and not wake up|i hope something kills me",
  "i want to go to heaven|soon ill be with my dad again|ive recorded videos for my kids for when im gone",
  "planning my funeral|ive given my cat away|i have the tablets ready|on the edge of a bridge",
  "sitting on the bridge|i might do something tonight|i frighten myself with my thoughts",
  "my thoughts are very dark|i loathe myself|im a mistake|the world doesnt need me",
  "he makes me feel worthless and scared",
  "if i fell asleep and didnt wake up thatd be fine|im only a problem to everyone",
  "my family deserve better than me im going|im losing the will to live",
  "i cant cope any more with being alive|what if i just never came back",
  "i took off my ring and left a letter|mum says we would be better off without her",
  "my brother gave me his xbox and said he wont need it|i honestly cannot see myself getting old",
  "i bring everyone down|soon i wont be in pain any more|ive made peace with dying",
  "told my sister where my will is|i want to see my nan again shes in heaven|living is harder than dying",
  "i only stay alive for my kids|if it wasnt for my dog i wouldnt be here",
  "my head is telling me everyone would cope|i dont want to see in the new year",
  "ive got nobody and nothing now|no ones going to be sad|id give anything to not have to be alive tomorrow",
  "said sorry to everyone i hurt now i can go|please forgive me for what im about to do",
  "dont be sad when you find me|thinking about the end a lot",
  "not sure i want to be here|my friend says she doesnt see the point any more|hug the kids for me ok",
  "he told me i wont see him again|the kids would get a better mum|im ready for it all to be finished",
);

// Questions of how many tablets are too many are none of a dose.
const tablets = list(
  "how many sleeping pills can I take|how many paracetamol is too many|how many nytol would it take",
  "what happens if i take a whole box of zopiclone|is 25 paracetamol enough|max number of tablets at once",
);

// Sleepers' idioms that come near.
const idioms = list(
  "im a slave to my alarm clock|i could sleep on a washing line|shoot it was 4am again",
  "heat is killing my sleep|stab of pain in my hip|drop off on the train home|sleepless to death",
  "throw the phone across the room at bedtime|smothered in blankets|how many mg of sertraline at night",
  "is 9 hours too many|can i take a third tablet|cant stand another hot night",
  "cant go on like this with his snoring|ready to give up on cpap|end of a long week|goodbye jetlag",
  "night terrors he screams and hits out|mum checks on me at night|touching cold feet",
  "killing time before my night shift|my husband kicks me in his sleep all night",
  "i'm going to kill my neighbours dog if it barks again|is it bad to take melatonin every night",
  "can i take ibuprofen and melatonin together|i forgot to take my tablets last night",
  "magnesium tablets for sleep|cut out caffeine after noon|hip pain hurts too much to sleep",
  "toddler bangs his head on the cot|my daughter is scared to sleep alone|i hate night shifts",
  "cant face my alarm|cant keep awake at work|cant do mornings|tired of waking up at 4am",
  "i give up on sleep tonight|is there any point in going to bed early|never going to sleep again",
  "no life because of shift work|ending cosleeping|make my mind stop racing|i just want to sleep",
  "dont want to wake my partner|dont want to be awake at 3am",
  "dead leg in bed|dreaming of falling off a building|wake up gasping for air",
  "cpap hose wrapped round my neck|trains pass my window|jumping legs at night|bed by the window is cold",
  "pillow over my head to block noise|knife crime podcast keeps me awake|hot flushes burning up",
  "this cough is killing me|hang blackout blinds|gas and bloating|attack of cramp|alcohol abuse insomnia",
  "not safe to drive after night shift|can i hurt the baby by sleeping on my stomach",
  "my hands shake when tired|fighting sleep|lost my dad and cant sleep|funeral tomorrow cant sleep",
  "note on the door for deliveries day sleeper|last night i slept badly|plan a bedtime routine",
  "when im gone the dog barks all night|trapped wind in baby|is there any way out of night shifts",
  "numb arm in the night|voices from next door keep me up|my husband shouts in his sleep",
  "my boyfriend steals the duvet|controlling the temperature|violent leg jerks",
  "worried about dying in my sleep|what happens if i dont sleep for 3 days|beaten by insomnia again",
  "sleepless and useless at work|is a sleep tracker a waste of money",
  "my wife is going to kill me if i snore again|drop dead gorgeous bedroom ideas|kill the lights",
  "bullet journal for sleep|hang clothes in bedroom damp|drowning out my partners snoring",
  "cuts and grazes itching at night|burned my hand and cant sleep|hit by jet lag|beat your alarm",
  "my baby kicks me all night in pregnancy|jump start my morning|tower block noise|night train sleep tips",
  "traffic noise from motorway|correct dose of melatonin|tablets to stop snoring",
  "blood pressure tablets and nightmares|missed my antidepressant and cant sleep|had too much coffee",
  "too many wakings|a handful of nuts before bed|gas boiler noise at night|cant carry on working nights",
  "cant take ibuprofen at night|cant see the clock in the dark|cant stop thinking about work",
  "cant function without nine hours|dont want to sleep alone|dont want to go to work tomorrow",
  "no hope of an early night|reason to get up early|tired of counting sheep|sick of night feeds",
  "fed up of wet sheets|give up the night shift|end the night on a good note|its over too soon sleep",
  "hate the dark evenings|my life revolves around sleep|sleeping alone after divorce",
  "my wife would be happier if i stopped snoring|no one sleeps in our house|failed sleep study",
  "wake up with someone in the room sleep paralysis|nightmare that i was drowning",
  "voice of the narrator is soothing|scared of sleep paralysis|frightened by a loud bang in my head",
  "husband shouts at me for snoring|he touches my back to wake me|not allowed coffee after 6|safe dose",
  "writing a letter to my gp about insomnia|plan my week of nights|last cigarette before bed",
  "goodbye dark circles|going away for christmas sleep tips|sitting on the edge of the bed",
  "train tracks behind my house|could murder a cup of tea at 2am|want to throttle my snoring partner",
  "i thought i was dying sleep paralysis|why do people die in their sleep|melatonin overdose in dogs",
  "how many pillows|is 10 hours sleep too much|how long do tablets stay in your system",
  "taking my pills with grapefruit|pillbox organiser|do antihistamines help sleep|whisky before bed",
  "cut my hours at work|cutting the grass at 8am neighbour|does late eating harm sleep",
  "stomach hurts at night|numb wrists|burn incense before bed|hanging bed|rope bed|ledge above the bed dust",
  "leap year sleep|run over by tiredness|crashing out at 7pm|baby headbutts me|husband grabs me in his sleep",
  "he touches me in his sleep|my mum comes in my room to wake me|uncle snores when he visits",
  "scared of burglars at night|terrified of flying overnight|racing thoughts at bedtime",
  "thinking about work all night|widowed and sleeping alone|sad lamp|useless cpap|failure of sleep hygiene",
  "i hate feeling tired|i hate my pillow|no one tells you about newborn sleep|want to stop taking zopiclone",
  "want to feel awake|just want some peace|ready for bed|done for the day|too much on my mind",
  "life is hard with a newborn|living near an airport|unbearable itching|cant stand the ticking clock",
  "cant get through the night without the loo|survive night shifts|i wont sleep|nothing to worry about",
  "no energy left|reason for night waking|what is the meaning of recurring dreams|the end is nigh dream",
  "free will|letters swim when im tired|goodbye summer insomnia|gave up alcohol",
  "emergency exit light too bright|helpline for cpap machine",
);

test.each([
  ["despair, harm or danger in words that name it", [...despair, ...plain, ...tablets]],
  ["despair in words that do not", indirect],
])("what is said of %s is known", (_, sentences) => {
  expect(sentences.filter((text) => !isFound(text))).toEqual([]);
});

test("what sleepers say of sleep is not taken for it", () => {
  const odd = ["", " ", "🌙", "__proto__", "x".repeat(10_000)];
  expect([...ordinary, ...idioms, ...topics, ...odd].filter(isFound)).toEqual([]);
});

test("no sentence of the bundled library is taken for it, but for those that say where to call", async () => {
  const sentences = await listSentences();
  expect(sentences.length).toBeGreaterThan(2000);
  const saysWhere =
    /\b(?:999|111|Samaritans|help ?lines?|ending your life|harm yourself|keep yourself safe|suicidal|dark thoughts|punish yourself|cannot go on)\b/i;
  expect(sentences.filter((text) => isFound(text) && !saysWhere.test(text))).toEqual([]);
});

async function listSentences(): Promise<string[]> {
  const folder = join(import.meta.dirname, "../bundled");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".md"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  return texts.flatMap((text) => text.replace(/\s+/g, " ").split(/(?<=[.!?:]) /));
}

test("a mark that ends a sentence ends a phrase, and so does the end of what is read", () => {
  const late = "he snores, ".repeat(40);
  for (const end of ["there is no way out. please", "i want out! now", "i give up, help"]) {
    expect(isFound(end), end).toBe(true);
    expect(isFound(`${late}${end}`), `${end}, late`).toBe(true);
  }
  expect(isFound(`${"so it goes on ".repeat(400)}i want to die`)).toBe(true);
});

test.each([
  ["capitals", (text: string) => text.toUpperCase()],
  ["an accent, and letters that come apart", (text: string) => text.replaceAll("i", "í").normalize("NFD")],
  ["soft hyphens", (text: string) => Array.from(text).join("\u00ad")],
  ["curved apostrophes and no-break spaces", (text: string) => text.replaceAll("'", "’").replaceAll(" ", "\u00a0")],
  ["line ends of a dictation", (text: string) => `my husband snores\n${text.replaceAll(" ", "\n")}\n`],
  ["zero-width spaces and quotes", (text: string) => `“\u200b${text.replaceAll(" ", "\u200b ")}\u200b”`],
  ["more words around", (text: string) => `please ${text} tonight`],
])("with %s it does as much", (_, change) => {
  for (const text of ["kill myself", "i want to die", "don't want to live anymore", "suicide", "he is hurting me"]) {
    expect(isFound(change(text)), text).toBe(true);
  }
});

describe("mistyped", () => {
  /** Letters swapped, missing and doubled. */
  function listSlips(word: string): string[] {
    return Array.from(word, (letter, at) => {
      const [before, after] = [word.slice(0, at), word.slice(at + 1)];
      const swapped = after === "" ? [] : [before + after.slice(0, 1) + letter + after.slice(1)];
      return [before + after, before + letter + letter + after, ...swapped];
    }).flat();
  }

  // A slip that makes another word, such as "ill myself" and "end my lie", is that word.
  const otherWords = new Set(["ill", "arm", "ham", "hut", "lie"]);

  test.each([
    ["kill myself", "kill"],
    ["kill myself", "myself"],
    ["i want to die", "want"],
    ["suicide", "suicide"],
    ["feeling suicidal", "suicidal"],
    ["self harm", "harm"],
    ["end my life", "life"],
    ["overdose", "overdose"],
    ["hurt myself", "hurt"],
    ["took too many pills", "pills"],
    ["someone is hurting me", "hurting"],
    ["better off without me", "without"],
  ])("%j is known with any slip in %j", (text, word) => {
    const slips = listSlips(word).filter((slip) => !otherWords.has(slip));
    expect(slips.filter((slip) => !isFound(text.replace(word, slip)))).toEqual([]);
  });

  test.each(["kull myself", "kilk myself", "suocide", "ocerdose", "seld harm", "want to dir", "wang to die"])(
    "%j is known by the key beside the right one",
    (text) => expect(isFound(text)).toBe(true),
  );
});

test.each([
  ["the <gone> group", "“the <gone> group” names the group <gone>, which is not there"],
  ["in <ring>", "“in <ring>” names the group <ring>, which has itself in it"],
  ["don't", "“don't” has “don't”: a word is of small letters from a to z, or a number"],
  ["two  spaces", "“two  spaces” has “”: a word is of small letters from a to z, or a number"],
])("a phrase %j cannot be read", (phrase, sentence) => {
  expect(() =>
    createHelpMatcher({ ...words, groups: { ring: ["one", "<ring>"] }, phrases: [phrase], harmless: [] }),
  ).toThrow(sentence);
});
