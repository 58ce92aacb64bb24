/**
 * 10,000 people who are there: each reports its presence once a minute, beside 50 sends a second. Against the
 * same sends alone. The reports are those of an organization that has been at work for a while: half of the
 * people are news of the last minute, and every second report is written.
 */
import type { ListenResult, ListenTask } from "./harness/listen.ts";
import { size } from "./harness/options.ts";
import { HEAP_FLAGS, listen, startParley } from "./harness/processes.ts";
import { checkRest, measureFsync, printTable, save } from "./harness/report.ts";
import { post, sends } from "./harness/requests.ts";
import { scenario } from "./harness/scenario.ts";
import { type Spent, spending } from "./harness/used.ts";

const PEOPLE = size(10_000, 600);
const SENDERS = 20;
const SENDS_PER_SECOND = 50;
const EVERY_SECONDS = 60;
const REPORTS_PER_SECOND = PEOPLE / EVERY_SECONDS;
/** Less than a minute, in which nobody reports twice. */
const SECONDS = size(20, 2);
const WARMUP_SECONDS = size(3, 0.5);

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const parley = await startParley({ people: PEOPLE, keys: PEOPLE, subscribers: 100 });
  const { port, people, peer } = parley;
  const requests = sends(parley.channelId, people.slice(0, SENDERS));
  const task = (requests: string[], perSecond: number): ListenTask => ({
    port,
    polls: [],
    lastEventId: 0,
    sends: { requests, pace: { by: "clock", perSecond } },
    isTiming: false,
    warmupSeconds: WARMUP_SECONDS,
    seconds: SECONDS,
  });

  const alone = await spending(parley, () => listen(task(requests, SENDS_PER_SECOND)));
  await peer.ask({ ask: "arrive", everySeconds: EVERY_SECONDS });
  const reports = reportsFrom(Date.now());
  const sample = await fetch(
    `http://127.0.0.1:${port}/api/v1/users/me/presence`,
    sampleOf(reports[0] as string),
  );
  const text = await sample.text();
  const records = Object.keys((JSON.parse(text) as { presences: object }).presences).length;
  const beside = await spending(parley, () =>
    Promise.all([listen(task(requests, SENDS_PER_SECOND)), listen(task(reports, REPORTS_PER_SECOND))]),
  );
  const [besideSends, answered] = beside.result;

  printTable(
    `${PEOPLE} people, ${REPORTS_PER_SECOND.toFixed(0)} reports/s of ${records} records (${text.length} B) each; ${SENDS_PER_SECOND} sends/s; ${HEAP_FLAGS.join(" ")}; fdatasync ${fsync}/s`,
    [
      row("sends alone", alone.result, alone.spent),
      row("sends beside reports", besideSends, beside.spent),
      row("the reports", answered, undefined),
    ],
  );
  save("presence", {
    fsync,
    people: PEOPLE,
    records,
    bytes: text.length,
    alone: figures(alone.result, alone.spent),
    beside: figures(besideSends, beside.spent),
    reports: answered.answered,
  });

  /** One report of each person, in the order in which the server was given their last ones. */
  function reportsFrom(startsAt: number): string[] {
    return people.map((person, index) => {
      const at = startsAt + (index / REPORTS_PER_SECOND) * 1000;
      // Batches are two seconds apart, and clients know the newest of a minute ago.
      const last_update_id = Math.floor((at - EVERY_SECONDS * 1000) / 2000) * 2000;
      return post(person, "/users/me/presence", { status: "active", last_update_id: String(last_update_id) });
    });
  }
});

function sampleOf(request: string): RequestInit {
  const [head = "", body = ""] = request.split("\r\n\r\n");
  const authorization = /Authorization: (.*)/.exec(head)?.[1] ?? "";
  const headers = {
    authorization,
    host: "localhost",
    "content-type": "application/x-www-form-urlencoded",
  };
  return { method: "POST", headers, body };
}

function row(what: string, { answered, sends, seconds }: ListenResult, spent: Spent | undefined) {
  return {
    what,
    "per second": sends / seconds,
    "p50 ms": answered.p50Ms,
    "p99 ms": answered.p99Ms,
    "max ms": answered.maxMs,
    "server's processor, %": spent && (100 * spent.nodeSeconds) / spent.seconds,
    "database's, %":
      spent?.databaseSeconds === undefined ? undefined : (100 * spent.databaseSeconds) / spent.seconds,
  };
}

function figures({ answered }: ListenResult, spent: Spent) {
  return {
    answered,
    nodeShare: spent.nodeSeconds / spent.seconds,
    databaseShare: spent.databaseSeconds === undefined ? undefined : spent.databaseSeconds / spent.seconds,
  };
}
