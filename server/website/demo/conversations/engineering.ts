import { type Conversation, inTopic, minutesAgo, on } from "./conversation.ts";

/** The server, the data, and who is on call. */
export const engineeringConversations: Conversation[] = [
  inTopic("engineering", "code review habits", on(8, "9:50"), [
    ["ben", "Small changes, one reviewer, the same day. If it takes longer than an hour to read, split it."],
    [
      "ivo",
      "And say *why* in the description, the *what* is in the diff.",
      { "100": ["ben", "xin", "viktor", "dev"] },
    ],
  ]),
  inTopic("engineering", "retire the old API", on(7, "11:20"), [
    ["xin", "Version 1 has 40 callers left. Most are weather stations in people's gardens."],
    ["ben", "Then it stays another year. A garden can't update itself.", { seedling: ["xin", "nils"] }],
  ]),
  inTopic("engineering", "flaky test", on(7, "15:45"), [
    ["viktor", "`harbor_merge_test` fails once in fifty runs, always around midnight UTC."],
    ["ivo", "It computes *tomorrow* twice. If midnight is in between, they differ."],
    ["viktor", "Clock is passed in now. 5,000 runs, no failure."],
  ]),
  inTopic("engineering", "database upgrade", on(6, "10:30"), [
    [
      "otto",
      "/todo Upgrade to PostgreSQL 18\nRehearse with last night's backup\nMeasure the ten slowest queries: before and after\nTell support the time\nUpgrade the standby\nSwitch over",
      {},
      { done: [0, 1, 2] },
    ],
    ["otto", "Rehearsal took 14 minutes. Sunday 6:00 UTC, when nobody sails."],
  ]),
  inTopic("engineering", "harmonic constants", on(5, "9:10"), [
    [
      "jonas",
      "For those who asked, the height is a sum of cosines:\n\n```math\nh(t) = h_0 + \\sum_{i=1}^{37} A_i \\cos(\\omega_i t + \\varphi_i)\n```\n\nEach harbor has its own $$A_i$$ and $$\\varphi_i$$. The speeds $$\\omega_i$$ come from the moon and the sun.",
      { exploding_head: ["elin", "finn"], heart: ["ivo", "dina"] },
      { starredBy: ["ada", "elin"] },
    ],
    ["finn", "37 because?"],
    ["jonas", "Because a machine of brass in 1910 had 37 wheels, and it was good enough."],
  ]),
  inTopic("engineering", "cache keys", on(4, "9:30"), [
    ["xin", "Two harbors share a key if their names differ only in an accent. Yes, there are two."],
    ["viktor", "Key by id, then. Names are for people."],
  ]),
  inTopic("engineering", "time zones again", on(4, "13:50"), [
    [
      "ivo",
      "A harbor on the border showed two times for the same tide. Lord Howe Island shifts by *half* an hour in summer.",
    ],
    ["dev", "I love that place and I hate that place.", { joy: ["ivo", "xin", "ben", "finn"] }],
  ]),
  inTopic("engineering", "metrics worth a look", on(3, "10:00"), [
    [
      "otto",
      "| | last week | this week |\n| --- | --- | --- |\n| requests a second | 410 | 530 |\n| p99 | 38 ms | 24 ms |\n| errors | 0.02% | 0.01% |",
      { chart: ["ben", "ada"] },
    ],
  ]),
  inTopic("engineering", "✔ memory leak in the tile server", on(3, "16:00"), [
    [
      "viktor",
      "Found: a listener for each request, never removed. 2 MB an hour, so nobody noticed until the holidays.",
    ],
    ["otto", "Flat line since yesterday. Thank you!", { tada: ["ben", "viktor", "kofi"] }],
  ]),
  inTopic("engineering", "new laptop, first day", on(2, "9:00"), [
    ["elin", "From clone to running tests: 11 minutes. I wrote down the two steps that were missing."],
    ["ben", "That's the best first contribution there is.", { heart: ["elin", "greta", "cleo"] }],
  ]),
  inTopic("engineering", "feature flags", on(1, "10:50"), [
    ["ivo", "We have 31 flags, 19 of them are *on* for everybody for more than half a year."],
    ["ben", "One of us removes one each morning, before coffee?"],
    ["ivo", "17 left."],
  ]),
  inTopic("engineering", "slow start", minutesAgo(104), [
    [
      "jun",
      "@**Dev Rao** your index made the old phones happy: 1.8 s → 0.6 s in the field. :snail: → :rabbit:",
      {
        rocket: ["dev", "ben", "elin", "amir"],
      },
    ],
    ["dev", "The rest is drawing. Lena's simpler cards will do more than I can."],
  ]),
  inTopic("engineering", "release 2.5", minutesAgo(62), [
    [
      "ben",
      "What is left for 2.5:\n\n* :check: offline harbors\n* :check: night watch\n* tablets scroll by themselves (Jun)\n* two crashes on start (Dev)\n* release notes (Elin)",
    ],
    [
      "dev",
      'Both crashes are one: the saved theme is `null` after an update from 2.3.\n\n```diff\n-  theme: settings.theme.toLowerCase(),\n+  theme: settings.theme?.toLowerCase() ?? "system",\n```',
      { eyes: ["ben"], tada: ["amir", "kira"] },
    ],
    ["elin", "Notes are a draft, I'd be glad of other eyes: #**marketing>release notes 2.5**"],
    ["ben", "@**Ada Osei** if Jun's fix is in by noon, I'd ship tomorrow. Objections?"],
  ]),
  inTopic("engineering", "builds", minutesAgo(50), [
    ["echo", "Build 2041 of `main` failed: 1 of 912 tests."],
    ["echo", "Build 2042 of `main` passed."],
  ]),
  inTopic("data", "missing gauges", on(8, "14:15"), [
    ["dina", "Eleven gauges were silent last week. Nine are back, two were eaten."],
    ["rosa", "Eaten?"],
    [
      "dina",
      "By a storm, says the port. By a goat, says the photo.",
      { goat: ["rosa", "finn", "elin", "noor", "uma"] },
    ],
  ]),
  inTopic("data", "quality of predictions", on(7, "10:00"), [
    ["noor", "Compared a year of predictions with the gauges: 95% are within 12 cm, and within 6 minutes."],
    ["jonas", "The rest is wind. We say so below each curve now."],
  ]),
  inTopic("data", "new harbors in Chile", on(6, "11:50"), [
    ["mara", "120 harbors with constants from the navy, license allows it with a credit line."],
    ["dina", "Imported. Please check Puerto Montt, 7 m of range looks right but I'd like a local to say so."],
    ["mara", "My uncle says 7 m, and that the boats lie on the mud twice a day."],
  ]),
  inTopic("data", "duplicates", on(5, "16:40"), [
    [
      "noor",
      "204 pairs of harbors are closer than 200 m. Half are two quays of one port, half are typing errors.",
    ],
    ["rosa", "I take A to M."],
    ["noor", "N to Z. See you in Zeebrugge."],
  ]),
  inTopic("data", "sea level", on(4, "11:10"), [
    ["jonas", "The datum of 30 harbors is from 1960. The sea isn't."],
    ["dina", "New ones come with the next edition. Until then a note on the card: *up to 15 cm higher*."],
  ]),
  inTopic("data", "import runs", on(2, "10:30"), [
    [
      "noor",
      "The nightly import takes 40 minutes since Chile. I'd like to make it three parts that can fail alone.",
    ],
    ["otto", "Yes please. And each writes what it did, in numbers."],
  ]),
  inTopic("data", "gauge in Valparaíso", minutesAgo(88), [
    [
      "mara",
      "It's six in the morning here, and the gauge sends 0.00 m since midnight. Sea is still there, I looked.",
    ],
    ["dina", "A cable. I'll mask it until the port has mended it.", { joy: ["noor", "rosa"] }],
  ]),
  inTopic("data", "currents", minutesAgo(140), [
    [
      "dina",
      "First map of currents for the Channel. It isn't right at the islands yet, but look at it:\n\n{{currents}}",
      {
        open_mouth: ["ada", "jonas", "lena"],
        ocean: ["nils", "kofi"],
      },
    ],
    ["jonas", "Where did you get the bathymetry?"],
    ["dina", "It's public, in tiles of one degree. I can show how after lunch."],
  ]),
  inTopic("on-call", "handover", on(5, "9:00"), [
    ["viktor", "Quiet week: one page, a full disk, my own logs. Over to you, @**Kofi Mensah**."],
    ["kofi", "Got it. The phone is charged and so am I.", { saluting_face: ["viktor", "otto"] }],
  ]),
  inTopic("on-call", "runbook: standby is behind", on(4, "17:10"), [
    [
      "otto",
      "1. Look at the lag in bytes, not in seconds.\n2. Below 1 GB: wait.\n3. Above: is a long query running there? End it.\n4. Still behind: call me, at any hour.",
    ],
  ]),
  inTopic("on-call", "slow answers on Saturday", on(2, "9:20"), [
    ["kofi", "Saturday 7:10–7:25 UTC: p99 at 900 ms. A sailing club with 4,000 members shared one link."],
    ["otto", "The nicest reason so far. The page is cached for a minute now."],
    ["ben", "Short report in the wiki, no blame, as always.", { thumbs_up: ["kofi", "otto", "ada"] }],
  ]),
  inTopic("on-call", "certificates", on(1, "15:30"), [
    [
      "kofi",
      "All renewed, the next date is in March. The reminder now goes to the channel, not to one person.",
    ],
  ]),
  inTopic("on-call", "disk of the tile server", minutesAgo(22), [
    ["kofi", "82% and growing by 3% a day. Not urgent, I'll add space at two."],
    ["viktor", "Old zoom levels can go, nobody has asked for them since June."],
    ["kofi", "61% after that. :broom:", { tada: ["viktor"] }],
  ]),
];
