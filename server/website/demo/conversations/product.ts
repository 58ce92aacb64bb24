import { type Conversation, inTopic, minutesAgo, on } from "./conversation.ts";

/** Design, the apps, accessibility and translations. */
export const productConversations: Conversation[] = [
  inTopic("design", "colors of the charts", on(8, "9:20"), [
    ["cleo", "The charts have seven blues by now. I'd like three: water, sky, and what you tapped."],
    ["lena", "And one that isn't blue, for warnings?"],
    ["cleo", "Amber. Red stays for danger, as on sea charts.", { thumbs_up: ["lena", "dev", "tove"] }],
  ]),
  inTopic("design", "rounded corners", on(8, "13:10"), [
    ["tove", "Cards have 12 px, buttons 8, fields 6. Is that on purpose?"],
    ["cleo", "It is: the smaller the thing, the smaller the radius. I'll write it down.", { bulb: ["tove"] }],
  ]),
  inTopic("design", "harbor cards", on(6, "10:00"), [
    ["lena", "How much fits on a card? Today we show name, next high water, next low water, wind and a map."],
    ["elin", "People who wrote to support ask for one thing: *when is the next low water?*"],
    ["lena", "Then that line gets twice the size, and the map goes behind a tap."],
    ["cleo", "Yes. One glance, one answer.", { heart: ["elin", "lena", "rosa"] }],
  ]),
  inTopic("design", "type scale", on(5, "11:30"), [
    [
      "tove",
      "Proposal:\n\n| use | size | weight |\n| --- | --- | --- |\n| next tide | 34 | 600 |\n| title | 20 | 600 |\n| text | 16 | 400 |\n| notes | 13 | 400 |",
      { thumbs_up: ["cleo", "lena", "sam"] },
    ],
    ["sam", "13 is small on deck in the sun. Could notes be 14?"],
    ["tove", "14 it is."],
  ]),
  inTopic("design", "dark mode at sea", on(4, "15:00"), [
    [
      "jonas",
      "At night on a boat, white text is too bright as well. Red on black keeps your eyes used to the dark.",
    ],
    [
      "cleo",
      "So a third theme: light, dark, night watch?",
      { ship: ["jonas", "nils", "kofi"], eyes: ["elin"] },
    ],
    ["nils", "Every plotter has one. I'd use it tomorrow."],
  ]),
  inTopic("design", "onboarding in three screens", on(3, "9:45"), [
    ["cleo", "First draft: choose a harbor, choose what to be told, done. No tour, no account."],
    ["maya", "Tested with five people yesterday. Four skipped everything and were happy."],
    ["cleo", "Then let's ask for the harbor alone, and offer the rest later."],
  ]),
  inTopic("design", "✔ app icon on dark wallpapers", on(3, "14:20"), [
    ["lena", "On black wallpapers the buoy looks cut out. A hairline in 20% white helps."],
    ["gus", "Same on paper, by the way: never black to the edge."],
  ]),
  inTopic("design", "tide curve", minutesAgo(96), [
    [
      "lena",
      "The new curve, with what is below chart datum in another tint:\n\n{{tide curve}}",
      {
        tada: ["cleo", "elin", "jonas", "rosa"],
        heart: ["dev"],
      },
    ],
    ["jonas", "Beautiful. Could the line for *now* say the height? I'd like to read 2.4 m without tapping."],
    ["lena", "Like this? The number stays at the edge, so your thumb doesn't cover it."],
    ["cleo", "@**Ada Osei** this is the one for the start page, if you agree."],
  ]),
  inTopic("design", "stickers for the fair", minutesAgo(41), [
    ["gus", "I need the files by Wednesday noon. Vinyl, 60 mm, four colors at most."],
    ["tove", "Buoy, wave and the cat with the life jacket. Who votes against the cat?"],
    ["gus", "Nobody votes against the cat.", { cat: ["tove", "cleo", "elin", "uma", "finn"] }],
  ]),
  inTopic("mobile", "release train", on(8, "10:30"), [
    ["amir", "Every second Tuesday, whatever is ready. What isn't waits two weeks, without drama."],
    [
      "hana",
      "Works for the store reviews too, they take a day by now.",
      { thumbs_up: ["amir", "jun", "dev"] },
    ],
  ]),
  inTopic("mobile", "battery", on(7, "9:15"), [
    ["jun", "The widget wakes the phone 96 times a day. It could be 8: tides don't surprise anyone."],
    ["dev", "They are the most predictable thing we have, yes.", { joy: ["jun", "hana", "elin", "kira"] }],
    ["jun", "Measured: 2.1% a day before, 0.3% now."],
  ]),
  inTopic("mobile", "offline harbors", on(6, "14:00"), [
    ["hana", "How many harbors can one keep offline?"],
    ["amir", "A year of one harbor is 38 kB. Let's allow all 4,100 of them and not ask."],
    ["kira", "156 MB, fine for those who want it. I'd offer it by country."],
  ]),
  inTopic("mobile", "watch app", on(5, "10:10"), [
    ["kira", "A complication with the next turn of the tide works on my wrist. Video in the afternoon."],
    ["nils", "Can it buzz ten minutes before low water? I keep missing my mussels."],
    ["kira", "It can now. There is no emoji for mussels, so :shell:", { shell: ["nils", "rosa"] }],
  ]),
  inTopic("mobile", "crash on old phones", on(4, "16:20"), [
    [
      "jun",
      "All of them are this line:\n\n```kotlin\nval harbor = harbors.first { it.id == saved.harborId }\n```\n\nHarbors that were merged are gone. `firstOrNull` and a question does it.",
    ],
    ["amir", "Good find. Into the train of Tuesday."],
    ["hana", "Tested on the drawer full of phones.", { muscle: ["jun", "amir"] }],
  ]),
  inTopic("mobile", "permissions for location", on(2, "11:00"), [
    [
      "hana",
      "Both stores ask why we want the location. We say: to find the nearest harbor, on the phone, never sent.",
    ],
    ["uma", "I like that we can say *never*.", { clap: ["hana", "ben", "zoe"] }],
  ]),
  inTopic("mobile", "screenshots for the stores", on(1, "13:30"), [
    [
      "kira",
      "Five screens, 14 languages, 3 sizes: 210 pictures. I'm writing a script, nobody does that by hand again.",
    ],
    ["tove", "Tell me when, I'd like to see the German ones. *Niedrigwasser* never fits."],
  ]),
  inTopic("mobile", "widget on the lock screen", on(3, "12:30"), [
    ["jun", "It fits: harbor, arrow, minutes. The font is 11 px, the smallest that the system allows."],
    ["zoe", "Please read it aloud as a sentence, not as *arrow up nine*.", { thumbs_up: ["jun", "wanda"] }],
  ]),
  inTopic("mobile", "beta 2.5", minutesAgo(118), [
    [
      "amir",
      "Beta 2.5 is with 300 testers since eight. New: offline harbors, night watch, the calmer widget.",
    ],
    ["kira", "First reports: night watch is loved, the picker for harbors scrolls by itself on tablets."],
    ["jun", "The tablet thing is mine. Fix in an hour."],
    ["amir", "@**Dev Rao** could you look at the logs of the two crashes? Both on start.", { eyes: ["dev"] }],
  ]),
  inTopic("accessibility", "contrast", on(7, "10:40"), [
    ["zoe", "The gray of notes has 3.8:1. It needs 4.5:1."],
    ["tove", "Changed. 4.9:1 in light, 6.1:1 in dark.", { check: ["zoe"] }],
  ]),
  inTopic("accessibility", "what a curve sounds like", on(6, "9:30"), [
    ["zoe", "How do we tell someone who doesn't see it what the curve shows?"],
    [
      "wanda",
      "As a sentence: *High water at 14:12 with 4.3 m, then falling until 20:31 with 0.9 m.* And a table for those who want all of it.",
      { heart: ["zoe", "elin", "maya"] },
    ],
  ]),
  inTopic("accessibility", "keyboard in the web preview", on(4, "10:20"), [
    ["wanda", "Tab reaches everything. Escape closes the harbor list, but then the focus is lost."],
    ["viktor", "It goes back to the button now."],
  ]),
  inTopic("accessibility", "larger text", on(2, "15:10"), [
    ["zoe", "With text at 200% the card cuts off the time. That's the one thing people came for."],
    ["lena", "It wraps now, and the wind moves below. Looks good even at 300%."],
  ]),
  inTopic("accessibility", "captions for the videos", minutesAgo(75), [
    [
      "wanda",
      "All six videos have captions in English and German. French and Polish are with the translators.",
    ],
    ["hugo", "French by tonight."],
  ]),
  inTopic("translations", "words for tides", on(8, "11:15"), [
    ["hugo", "*Spring tide* and *neap tide* are **vive-eau** and **morte-eau**. No spring in it at all."],
    [
      "olga",
      "In Latvian the words exist, but nobody on our coast has ever needed them.",
      { joy: ["hugo", "emre", "wanda"] },
    ],
  ]),
  inTopic("translations", "Turkish", on(6, "16:10"), [
    ["emre", "All done. Please don't uppercase titles in code: `i` becomes `İ`, and the search breaks."],
    ["viktor", "Fixed, with a test that has your name in it."],
  ]),
  inTopic("translations", "plurals", on(5, "14:30"), [
    ["wanda", 'Polish has three forms: 1 pływ, 2 pływy, 5 pływów. "tide(s)" can\'t work.'],
    ["viktor", "All counted texts have forms now. Arabic gets its six.", { tada: ["wanda", "yara"] }],
  ]),
  inTopic("translations", "right to left", on(3, "11:40"), [
    [
      "yara",
      "The app in Arabic looks good. Only the curve must *not* be mirrored: time goes from left to right on charts here too.",
    ],
    ["lena", "Thank you, I'd have mirrored it.", { pray: ["yara"] }],
  ]),
  inTopic("translations", "who reviews Japanese?", minutesAgo(33), [
    ["jun", "I wrote half of it, so somebody else should read it."],
    ["xin", "My sister-in-law would. She fishes in Kobe and will tell us everything that's wrong."],
  ]),
];
