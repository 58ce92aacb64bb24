/**
 * What one key costs in the switcher of the web client, among ten thousand people, and topics and channels
 * beside them. The functions are called in this process. All times are processor time.
 */
import { createJump, type Jump, type Kind } from "../client/autocomplete/jump.ts";
import { median } from "./harness/figures.ts";
import { seeded } from "./harness/messages.ts";
import { size } from "./harness/options.ts";
import { processorMs } from "./harness/processor-ms.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const PEOPLE = size(10_000, 200);
const TOPICS = size(5000, 100);
const CHANNELS = size(500, 10);
const ROUNDS = size(40, 2);
const MAX_SHOWN = 12;
const syllables = [
  "ma",
  "ri",
  "to",
  "ka",
  "len",
  "so",
  "vi",
  "ne",
  "ger",
  "üs",
  "ba",
  "zé",
  "on",
  "el",
  "ix",
  "da",
];

const random = seeded(7);
const word = () =>
  Array.from(
    { length: 2 + Math.floor(random() * 2) },
    () => syllables[Math.floor(random() * syllables.length)],
  ).join("");
const jump = (kind: Kind, name: string, order: number, context = ""): Jump<string> => ({
  item: name,
  kind,
  name,
  context,
  order,
});

await scenario(async () => {
  checkRest();
  const all = [
    ...Array.from({ length: PEOPLE }, () => jump("person", `${word()} ${word()}`, 1002)),
    ...Array.from({ length: TOPICS }, () => jump("topic", `${word()} ${word()} ${word()}`, 1003, word())),
    ...Array.from({ length: CHANNELS }, () => jump("channel", word(), 1001)),
  ];
  const openMs = processorMs(() => createJump(all, MAX_SHOWN));
  const find = createJump(all, MAX_SHOWN);
  const texts = ["m", "ma", "mar", "mari", "marik", "lena so", "x", "zzz", "ger so", "vineto", ""];
  const rows = texts.map((text) => {
    const times = Array.from({ length: ROUNDS }, () => processorMs(() => find(text)));
    return { typed: text === "" ? "(nothing)" : text, found: find(text).length, ms: median(times) };
  });
  printTable(`one key among ${all.length} names`, rows);
  printGoal("opening the list, ms", openMs, { most: 100 });
  const slowest = Math.max(...rows.map(({ ms }) => ms));
  printGoal("the slowest key, ms", slowest, { most: 10 });
  save("switcher", { names: all.length, openMs, slowest, keys: rows });
});
