/**
 * What one key costs among ten thousand people, in the box to write and in the search field. A frame is 16
 * ms. The functions are called in this process. All times are processor time.
 */
import { complete } from "../client/autocomplete/complete.ts";
import { tokenAt } from "../client/autocomplete/token.ts";
import { Model } from "../client/model/model.ts";
import { suggest } from "../client/search/suggest.ts";
import { median } from "./harness/figures.ts";
import { size } from "./harness/options.ts";
import { processorMs } from "./harness/processor-ms.ts";
import { checkRest, printGoal, printTable, save } from "./harness/report.ts";
import { scenario } from "./harness/scenario.ts";

const PEOPLE = size(10_000, 200);
const ROUNDS = size(20, 2);

await scenario(async () => {
  checkRest();
  const model = Model.fromSnapshot({
    user_id: 1,
    realm_users: Array.from({ length: PEOPLE }, (_one, at) => ({
      ...{ user_id: at + 1, full_name: `Zoë ${at} of Group ${at % 97}`, email: `${at}@x.test` },
      ...{ role: 400, is_active: true },
    })),
  });
  const around = { model, place: undefined, recentSenders: [5000, 7000], topicsOf: () => [] };
  const finds: Record<string, (text: string) => readonly unknown[]> = {
    writing: (text) => {
      const token = tokenAt(text, text.length);
      return token ? complete(token, { ...around, emoji: [], recentEmoji: [] }) : [];
    },
    searching: (text) => suggest(text, { ...around, terms: [] }).found,
  };
  const typed = [
    ...["@z", "@zo", "@zoe", "@zoe 1", "@gr", "@group 9", "@none", "@9"].map((text) => ["writing", text]),
    ...["z", "zo", "sender:zoe 1", "-sender:gr", "dm:group 9", "none"].map((text) => ["searching", text]),
  ] as [string, string][];
  // The first search makes the names ready.
  const firstMs = processorMs(() => finds.writing?.("@zo"));
  const rows = typed.map(([where, text]) => {
    const find = () => finds[where]?.(text) ?? [];
    const times = Array.from({ length: ROUNDS }, () => processorMs(find));
    return { where, typed: text, found: find().length, ms: median(times) };
  });
  printTable(`one key among ${PEOPLE} people`, rows);
  printGoal("the first key, ms", firstMs, { most: 200 });
  const slowest = Math.max(...rows.map(({ ms }) => ms));
  printGoal("the slowest key after it, ms", slowest, { most: 16 });
  save("completion", { people: PEOPLE, firstMs, slowest, keys: rows });
});
