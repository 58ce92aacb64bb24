/**
 * The parts of a large installation, each measured alone and small: one log against many, several nodes on
 * one database, wake-ups by PostgreSQL against none. Also memory by organization, person and queue, and the
 * cost of handing a message to queues. From these it computes the limits on a machine like this one, which
 * docs/scaling.md explains.
 */
import { rmSync } from "node:fs";
import pino from "pino";
import { openServices } from "../server/app.ts";
import { readConfig } from "../server/config.ts";
import { migrate } from "../server/platform/db/migrate.ts";
import { startEmbeddedPostgres } from "../server/platform/postgres/launcher.ts";
import { makeTemporaryDirectory } from "../server/platform/postgres/throw-away.ts";
import { makeOrganizations, type Small } from "./harness/many-organizations.ts";
import { size } from "./harness/options.ts";
import { addCleanUp, HEAP_FLAGS, Peer } from "./harness/processes.ts";
import { ProcessorTime } from "./harness/processor-time.ts";
import { checkRest, measureFsync, printTable, save } from "./harness/report.ts";
import type { Grown, Question, Sent } from "./harness/scaling-node.ts";
import { scenario } from "./harness/scenario.ts";
import { each } from "./harness/used.ts";

const ORGANIZATIONS = size(64, 4);
const SMALL_PEOPLE = 50;
const LARGE_PEOPLE = size(10_000, 100);
const SENDERS = 64;
const SECONDS = size(3, 0.3);
const QUEUES = size(10_000, 100);
/** Fewer than a queue keeps in memory before it turns cold. */
const FANOUT_MESSAGES = size(500, 20);
const DAY_SECONDS = 8 * 3600;

type Node = Peer<object>;

interface Rate {
  what: string;
  perSecond: number;
  batch: number;
  batchesPerSecond: number;
  nodeMicroseconds: number | undefined;
  databaseMicroseconds: number | undefined;
}

await scenario(async () => {
  checkRest();
  const fsync = measureFsync();
  const dataDir = makeTemporaryDirectory("parley-bench-");
  addCleanUp(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_connections: "120" } });
  addCleanUp(() => postgres.stop());
  const { connection } = postgres;
  await migrate(connection);
  const services = await openServices(
    readConfig({ PARLEY_ENV: "development" }),
    pino({ level: "error" }),
    connection,
  );
  const small = await makeOrganizations(services, ORGANIZATIONS, SMALL_PEOPLE);
  const [large] = (await makeOrganizations(services, 1, LARGE_PEOPLE)) as [Small];
  await services.database.close();

  const time = new ProcessorTime(dataDir);
  const startNode = async () => {
    const node: Node = new Peer("./scaling-node.js", {
      flags: [...HEAP_FLAGS, "--expose-gc"],
      environment: { BENCH_CONNECTION: JSON.stringify(connection) },
    });
    await node.ready;
    return node;
  };
  const nodes = [await startNode()] as [Node, ...Node[]];
  const [first] = nodes;

  const ofSmall = await grow(first, { ask: "load", organizations: small });
  const ofLarge = await grow(first, { ask: "load", organizations: [large] });
  await grow(first, { ask: "look" });
  const look = await grow(first, { ask: "look" });

  const rates: Rate[] = [];
  /** All nodes at once; `parts` says which organizations each sends to. */
  const rate = async (what: string, parts: Small[][], notifies = true) => {
    const databaseBefore = time.read().databaseSeconds;
    const sent = await Promise.all(
      parts.map((organizations, index) => {
        const senders = Math.max(1, Math.round(SENDERS / parts.length / organizations.length));
        const question: Question = { ask: "send", organizations, senders, seconds: SECONDS, notifies };
        return (nodes[index] as Node).ask<Sent>(question);
      }),
    );
    const databaseAfter = time.read().databaseSeconds;
    const messages = sum(sent.map((part) => part.messages));
    const batches = sum(sent.map((part) => part.batches));
    const seconds = Math.max(...sent.map((part) => part.seconds));
    rates.push({
      what,
      perSecond: messages / seconds,
      batch: messages / batches,
      batchesPerSecond: batches / seconds,
      nodeMicroseconds: each(sum(sent.map((part) => part.nodeSeconds)), messages),
      databaseMicroseconds:
        databaseBefore === undefined || databaseAfter === undefined
          ? undefined
          : each(databaseAfter - databaseBefore, messages),
    });
    return rates.at(-1) as Rate;
  };

  const [one] = small as [Small];
  await rate("(warm-up)", [[one]]);
  const single = await rate("1 organization, 1 node", [[one]]);
  await rate("8 organizations, 1 node", [small.slice(0, 8)]);
  const many = await rate(`${ORGANIZATIONS} organizations, 1 node`, [small]);
  // A single node notifies nobody, so NOTIFY has a cost only from the second on.
  for (const count of [2, 3]) {
    nodes.push(await startNode());
    await rate(`1 organization, ${count} nodes`, Array(count).fill([one]));
    await rate(`${ORGANIZATIONS} organizations over ${count} nodes`, deal(small, count));
    await rate(`${ORGANIZATIONS} organizations over ${count} nodes, no NOTIFY`, deal(small, count), false);
  }

  const sendToLarge: Question = {
    ask: "send",
    organizations: [large],
    senders: 1,
    seconds: 60,
    notifies: true,
    most: FANOUT_MESSAGES,
  };
  await first.ask<Sent>(sendToLarge);
  const alone = await first.ask<Sent>(sendToLarge);
  const ofQueues = await grow(first, { ask: "queues", organizations: [large], count: QUEUES });
  const heard = await first.ask<Sent>(sendToLarge);

  printTable(
    `durable sends through the engine alone, ${SENDERS} at a time; fdatasync ${fsync}/s`,
    rates.slice(1).map((row) => ({
      what: row.what,
      "sends/s": row.perSecond,
      "a batch": row.batch,
      "commits/s": row.batchesPerSecond,
      "node µs a send": row.nodeMicroseconds,
      "PostgreSQL µs a send": row.databaseMicroseconds,
    })),
  );

  const organizationKb = ofSmall.heapBytes / ORGANIZATIONS / 1e3;
  const personBytes = ofLarge.heapBytes / LARGE_PEOPLE;
  const queueBytes = ofQueues.heapBytes / QUEUES;
  const sendMicroseconds = (sent: Sent) => (sent.nodeSeconds * 1e6) / sent.messages;
  const pointerMicroseconds = (sendMicroseconds(heard) - sendMicroseconds(alone)) / QUEUES;
  printTable("what a node keeps and does", [
    { what: `an organization of ${SMALL_PEOPLE} people, kB of heap`, value: organizationKb },
    { what: "loading it, ms", value: ofSmall.milliseconds / ORGANIZATIONS },
    { what: `a person in an organization of ${LARGE_PEOPLE}, B of heap`, value: personBytes },
    { what: "loading that organization, ms", value: ofLarge.milliseconds },
    { what: "a queue without its connection, B of heap", value: queueBytes },
    { what: `a message to ${QUEUES} queues, µs a queue, without answering`, value: pointerMicroseconds },
    { what: `a look at the heads of ${ORGANIZATIONS + 1} organizations, ms`, value: look.milliseconds },
  ]);

  printTable("where that leads, on machines like this one", [
    {
      limit: "messages of one organization in a working day of 8 h, at a tenth of its log's rate",
      value: (single.perSecond / 10) * DAY_SECONDS,
    },
    {
      limit: "people of one organization who send 40 messages a day each, at that rate",
      value: ((single.perSecond / 10) * DAY_SECONDS) / 40,
    },
    {
      limit: "the same of all organizations on one PostgreSQL, if no two messages share a commit",
      value: ((many.perSecond / 10) * DAY_SECONDS) / 40,
    },
    { limit: `organizations of ${SMALL_PEOPLE} people in 1 GB of heap`, value: 1e6 / organizationKb },
    { limit: "people of one organization in 1 GB of heap", value: 1e9 / personBytes },
    { limit: "queues in 1 GB of heap, without their connections", value: 1e9 / queueBytes },
  ]);
  save("scaling", { fsync, rates: rates.slice(1), ofSmall, ofLarge, ofQueues, pointerMicroseconds, look });
});

function grow(node: Node, question: Question): Promise<Grown> {
  return node.ask<Grown>(question);
}

function deal<T>(cards: readonly T[], hands: number): T[][] {
  return Array.from({ length: hands }, (_, hand) => cards.filter((_card, index) => index % hands === hand));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
