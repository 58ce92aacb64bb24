import { among, type Conversation, inTopic, minutesAgo, on } from "./conversation.ts";

/** Everybody's channels, support, marketing, and direct messages. */
export const companyConversations: Conversation[] = [
  inTopic("general", "office on Thursday", on(8, "16:00"), [
    ["greta", "The heating is off on Thursday morning. Come at noon, or bring a sweater."],
    ["finn", "Or work from the ferry.", { ferry: ["kofi", "nils", "uma"] }],
  ]),
  inTopic("general", "introductions", on(7, "9:00"), [
    ["uma", "Hi! I'm Uma, I look after money and contracts. I sail badly and gladly."],
    ["jonas", "Jonas, oceanographer. Ask me anything about the moon."],
    [
      "noor",
      "Noor, data. I have 4,100 harbors and a favorite: Gwadar.",
      { wave: ["elin", "ada", "cleo", "ben", "rosa"] },
    ],
  ]),
  inTopic("general", "quarter in one picture", on(5, "15:00"), [
    [
      "ada",
      "212,000 people looked at a tide with us last week. A year ago it was 90,000. Thank you, all of you.",
      {
        tada: ["ben", "cleo", "dev", "elin", "lena", "kofi", "rosa"],
        heart: ["greta", "uma", "zoe"],
      },
    ],
  ]),
  inTopic("general", "security training", on(4, "9:00"), [
    ["otto", "30 minutes, Wednesday 11:00, no slides. Bring a mail that looked strange."],
    ["sam", "I have *seven*."],
  ]),
  inTopic("general", "company days", on(3, "12:00"), [
    [
      "greta",
      "/poll Where do we meet in May?\nPorto\nGdańsk\nBrittany\nA boat",
      { sailboat: ["kofi", "nils", "finn"] },
      {
        votes: [
          ["ada", "bea", "cleo", "elin", "lena", "maya", "sam"],
          ["wanda", "olga", "ben"],
          ["hugo", "jonas", "zoe", "dev"],
          ["kofi", "nils", "finn"],
        ],
      },
    ],
    ["bea", "I can show you all of Porto in two days, stairs included."],
  ]),
  inTopic("general", "lost and found", on(2, "16:30"), [
    ["tove", "Somebody's left glove is in the kitchen. It has a whale on it."],
    ["finn", "Mine! The right one misses it."],
  ]),
  inTopic("general", "Monday", minutesAgo(150), [
    [
      "ada",
      "Good morning! This week: 2.5 goes out, the fair on Friday, and interviews with six harbor masters.",
    ],
    ["maya", "Interviews are full. Notes will be in #**support>what harbor masters say**."],
    [
      "greta",
      "And cake at three: Elin is one month with us. :cake:",
      { cake: ["ada", "elin", "cleo", "dev", "tove", "finn"] },
    ],
  ]),
  inTopic("general", "Friday's fair", minutesAgo(18), [
    ["rosa", "Stand B12, next to the lifeboats. Who has time from 9 to 12?"],
    ["kofi", "I do. I'll bring the big screen."],
    ["ben", "@**all** Rosa needs your T-shirt sizes by tonight!", { shirt: ["kofi", "uma"] }],
  ]),
  inTopic("support", "macros", on(8, "10:10"), [
    [
      "rosa",
      'We answer "why is the tide wrong" 30 times a week. New text: what wind does, what datum is, a picture.',
    ],
    [
      "paul",
      "Tried it: half of them don't write again, the other half says thank you.",
      { heart: ["rosa", "maya"] },
    ],
  ]),
  inTopic("support", "refund for a yacht club", on(8, "15:20"), [
    ["paul", "They bought 40 licenses twice. Refunded 40."],
    ["uma", "Booked. Please send me the number of the invoice next time."],
  ]),
  inTopic("support", "letters on paper", on(7, "14:00"), [
    ["quinn", "A lighthouse keeper wrote a letter. By hand. He wants the tables as a booklet."],
    ["gus", "I could print him one. Really.", { heart: ["quinn", "cleo", "ada", "rosa"] }],
    ["quinn", "He got it, and sent a photo of it on his desk."],
  ]),
  inTopic("support", "widget shows yesterday", on(6, "9:20"), [
    ["paul", "Four reports since the update, all from phones in low power mode."],
    ["jun", "The system doesn't wake us there. The widget now says *as of 9:20* when it is old."],
  ]),
  inTopic("support", "dark mode questions", on(5, "10:40"), [
    ["rosa", '"Can I have it in red?" Third time this month.'],
    ["cleo", "Soon! See #**design>dark mode at sea**.", { eyes: ["rosa"] }],
  ]),
  inTopic("support", "stars in the stores", on(4, "14:10"), [
    ["quinn", "4.8 on one, 4.6 on the other. The 1-star ones are about a game with the same name."],
    ["sam", "I answered them kindly. Two changed to 5 stars.", { star: ["quinn", "ada", "rosa", "greta"] }],
  ]),
  inTopic("support", "answers within a day", on(3, "9:10"), [
    [
      "maya",
      "| week | questions | within a day |\n| --- | --- | --- |\n| 44 | 310 | 91% |\n| 45 | 286 | 94% |\n| 46 | 342 | 97% |",
      { clap: ["rosa", "paul", "quinn"] },
    ],
  ]),
  inTopic("support", "surf school wants an API", on(2, "13:00"), [
    ["paul", "They'd like the next low water on their website. Free, with our name below?"],
    ["ada", "Yes, for anyone below 10,000 calls a month."],
    ["xin", "Key is made, documentation is linked."],
  ]),
  inTopic("support", "wrong tides in Saint-Malo", minutesAgo(132), [
    ["paul", "Six people since last night: Saint-Malo is an hour early."],
    ["ivo", "Summer time. The harbor has the zone of the port authority's *office*, which moved. To London."],
    [
      "noor",
      "Corrected, and I checked all harbors whose zone differs from their country's: that was the only one.",
      {
        pray: ["paul", "rosa"],
        "100": ["ada"],
      },
    ],
    ["paul", "All six have an answer."],
  ]),
  inTopic("support", "what harbor masters say", minutesAgo(26), [
    [
      "maya",
      "First interview. In short: they don't want an app, they want **one line on a screen in the office**, that never logs out.",
    ],
    ["elin", "We have that, nearly: the widget in full screen."],
    ["maya", "> that never logs out\n\nThat's the hard part. @**Ada Osei** can we talk about it this week?"],
  ]),
  inTopic("marketing", "newsletter", on(7, "13:20"), [
    ["sam", "*What the moon does in November*: 41% opened it. The one about prices: 12%."],
    ["bea", "More moon, then.", { full_moon: ["sam", "jonas", "zoe"] }],
  ]),
  inTopic("marketing", "press kit", on(5, "12:10"), [
    ["bea", "Icons, five screens, two photos of people in oilskins. Under the press page since noon."],
  ]),
  inTopic("marketing", "fair: what we bring", on(3, "10:20"), [
    [
      "bea",
      "/todo Fair\nStand: B12\nBig screen\nStickers: Gus prints\nT-shirts: Rosa asks for sizes\nSomebody who can explain datum",
      {},
      { done: [0, 1] },
    ],
    ["jonas", "I can. For hours."],
    ["bea", "For *minutes*.", { joy: ["jonas", "rosa", "sam"] }],
  ]),
  inTopic("marketing", "photo of the month", on(2, "17:00"), [
    ["zoe", "Fog in Halifax, seen from my kitchen. You see nothing, that's the point."],
  ]),
  inTopic("marketing", "release notes 2.5", minutesAgo(57), [
    [
      "elin",
      "**Tidewater 2.5**\n\n* Keep every harbor of a country, and read it without a network.\n* *Night watch*: red on black, for eyes that should stay used to the dark.\n* The widget asks for a tenth of the battery.\n\nIs *night watch* clear to people who never stood one?",
      { thumbs_up: ["sam", "bea"] },
    ],
    ["sam", "I'd say: \"for use at night on the water\". Then it's clear to everyone."],
    ["elin", "Better. Changed."],
  ]),
  inTopic("random", "the office cat", on(8, "12:00"), [
    ["tove", "She sat on the keyboard and approved a pull request."],
    ["ben", "It had tests. Fine by me.", { cat: ["tove", "dev", "elin", "finn", "xin"] }],
  ]),
  inTopic("random", "best soup in town", on(6, "12:20"), [
    ["finn", "The one at the pier. Today: fish, tomorrow: fish."],
    ["dev", "I asked for soup *or* salad in November once and I'm still being asked about it."],
  ]),
  inTopic("random", "knots", on(5, "17:20"), [
    ["nils", "Bowline. One hand, eyes closed, 3 seconds. Video or it didn't happen, I know."],
    ["kofi", "2.4 seconds.", { muscle: ["nils", "finn"] }],
  ]),
  inTopic("random", "playlist for the ferry", on(3, "16:50"), [
    ["bea", "Two hours, no sea shanties. Well, one."],
    ["leo", "Added seven shanties."],
  ]),
  inTopic("random", "riddle", on(2, "12:10"), [
    [
      "jonas",
      "A rope hangs from a ship, with a knot every 30 cm. The tide rises 90 cm. How many more knots are under water?",
    ],
    ["finn", "```spoiler Answer\nNone. The ship floats.\n```", { bulb: ["uma", "elin", "noor"] }],
  ]),
  inTopic("random", "cake", minutesAgo(12), [
    ["greta", "It is lemon. It is in the kitchen. It is *not* three yet, @**Finn Murphy**."],
    ["finn", "I was only looking.", { eyes: ["greta", "tove"], cake: ["elin"] }],
  ]),
  inTopic("books", "November", on(7, "17:30"), [
    ["dina", "We read *The Sea Around Us* by Rachel Carson. First half until the 30th."],
    [
      "zoe",
      "Reread the chapter on tides yesterday. 70 years old, and I'd still hand it to every new colleague.",
    ],
  ]),
  inTopic("books", "what next?", on(4, "17:00"), [
    [
      "leo",
      "/poll What do we read in December?\nThe Old Man and the Sea\nPiranesi\nA cookbook",
      {},
      { votes: [["leo", "hugo"], ["dina", "zoe", "ada"], ["olga"]] },
    ],
  ]),
  inTopic("books", "shelf in the office", on(1, "12:30"), [
    ["leo", "I brought eleven. Take one, leave one, no list."],
  ]),
  inTopic("people team", "vacation in December", on(4, "10:00"), [
    ["greta", "23 people asked for the last week. On call is covered: Kofi, Otto and Viktor share it."],
    ["ada", "Thank them with something better than an e-mail, please."],
  ]),
  inTopic("people team", "parental leave", on(2, "10:10"), [
    ["uma", "The new text is ready: 16 weeks for everybody, paid.", {}, { starredBy: ["ada"] }],
    ["ada", "Announce it on Wednesday?", { heart: ["greta", "uma"] }],
  ]),
  inTopic("leads", "budget 2027", on(6, "15:30"), [
    ["ada", "Two more people in data, one in support. The rest stays."],
    ["ben", "And the second data center waits another year. Fine with me, really."],
  ]),
  inTopic("leads", "offer for the mobile role", minutesAgo(84), [
    ["ben", "She said yes! Starts in January."],
    [
      "cleo",
      "Wonderful. I'll write to the other candidate today, she was very good, too.",
      { tada: ["ada", "ben"] },
    ],
  ]),
  inTopic("town square", "known problems", on(4, "12:00"), [
    ["rosa", "Tablets: the list of harbors may scroll by itself in the beta. A fix comes this week."],
  ]),
  inTopic("town square", "where our data comes from", on(6, "13:00"), [
    [
      "dina",
      "From 38 hydrographic offices, each named on its harbors' cards. We are grateful to all of them.",
      {
        heart: ["ada", "elin", "jonas"],
      },
    ],
  ]),
  among(["ben", "ada"], on(3, "17:30"), [
    ["ben", "Shall I take the budget round with data, or do you?"],
    ["ada", "You, please. I'll be there if they ask for a boat."],
  ]),
  among(["greta", "cleo", "ada"], on(2, "14:00"), [
    ["greta", "For Elin's month: cake, and the book with the tide tables of her year of birth?"],
    ["cleo", "Perfect. I have a printer who owes me one."],
  ]),
  among(["jonas", "ada"], minutesAgo(70), [
    ["jonas", "The professor from Bergen would come to the fair. Can we pay her train?"],
    ["jonas", "It's 140 in total, she asked twice whether that's too much."],
  ]),
  among(["maya", "ada"], minutesAgo(24), [
    ["maya", "Wednesday 14:00 for the harbor masters? I'd bring two recordings."],
  ]),
  among(["dev", "ben", "ada"], minutesAgo(9), [
    ["ben", "Jun's fix is in, all green. Tomorrow at ten?"],
    ["dev", "I'm here. Rollback is tested.", { thumbs_up: ["ben"] }],
  ]),
];
