import { DEFAULT_STATISTICS_DAYS, MAX_STATISTICS_DAYS } from "../../api/limits.ts";
import { presentDay } from "../../server/administration/statistics/present.ts";
import { type CountedDay, readStatistics, today } from "../../server/administration/statistics/read.ts";
import { readStorage, type TopShares, topShares } from "../../server/administration/statistics/storage.ts";
import { channels } from "../../server/channels/channel.ts";
import { users } from "../../server/people/user.ts";
import { command, exitCodes, UsageError } from "../command.ts";
import { withInstallation } from "../installation/installation.ts";
import { jsonLine, jsonOption } from "../options/json.ts";
import { findOrganization, hostOption } from "../options/people.ts";
import { describeBytes } from "../terminal/bytes.ts";
import { safeLine } from "../terminal/terminal-text.ts";

export const statistics = command({
  usage: ["statistics [--days N]", "statistics --storage"],
  details: `
Prints how much the organization was used on each of the last days, in UTC: how many people were active on
the day, in 7 and in 28 days, who is new, messages in all and by where they were sent, those of bots, and the
size of all uploads. A hyphen stands for what is not known. A running server counts every ten minutes.
--storage prints whose uploads, and those in which channels, take the most storage now.`,
  options: {
    days: {
      value: "N",
      description: `How many days: at most ${MAX_STATISTICS_DAYS}, and ${DEFAULT_STATISTICS_DAYS} by default.`,
    },
    storage: { description: "The largest shares of storage, instead of days." },
    host: hostOption,
    json: jsonOption,
  },
  words: { min: 0, max: 0 },
  async run({ values, environment }) {
    if (values.storage === true) return printStorage(values, environment);
    const days = parseDays(values.days);
    const read = await withInstallation(environment, async (services) =>
      readStatistics(await findOrganization(services, values.host), { days, to: today() }),
    );
    const lines =
      values.json === true ? read.days.map((day) => jsonLine(presentDay(day))) : tableOf(read.days);
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (values.json !== true) process.stdout.write(`\n${stateOf(read.days)}`);
    process.stderr.write(describeCount(read.countedAt));
    return exitCodes.ok;
  },
});

async function printStorage(
  values: { host?: string | undefined; json?: boolean | undefined; days?: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  if (values.days !== undefined) throw new UsageError("--storage: give no --days, it is as of now.");
  const rows = await withInstallation(environment, async (services) => {
    const state = await findOrganization(services, values.host);
    const storage = await readStorage(state);
    const people = state.get(users);
    const { byId } = state.get(channels);
    return [
      ...sharesOf("person", topShares(storage.people), (id) => people.find(id)?.email),
      ...sharesOf("channel", topShares(storage.channels), (id) => byId.get(id)?.name),
    ];
  });
  for (const row of rows)
    process.stdout.write(
      values.json === true
        ? `${jsonLine(row)}\n`
        : `${row.kind.padEnd("channel".length)}  ${describeBytes(row.bytes).padStart(10)}  ${safeLine(row.name ?? `${row.others} others`)}\n`,
    );
  if (rows.length === 0) process.stderr.write("There are no uploads.\n");
  return exitCodes.ok;
}

interface ShareRow {
  kind: "person" | "channel";
  id?: number;
  name?: string;
  /** How many are in this row, which has no name. */
  others?: number;
  bytes: number;
}

function sharesOf<Id extends number>(
  kind: ShareRow["kind"],
  { top, others }: TopShares<Id>,
  nameOf: (id: Id) => string | undefined,
): ShareRow[] {
  const rest = others.count > 0 ? [{ kind, others: others.count, bytes: others.bytes }] : [];
  return [...top.map(({ id, bytes }) => ({ kind, id, name: nameOf(id) ?? String(id), bytes })), ...rest];
}

function parseDays(text: string | undefined): number {
  const days = text === undefined ? DEFAULT_STATISTICS_DAYS : Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= MAX_STATISTICS_DAYS) return days;
  throw new UsageError(`--days: give a number from 1 to ${MAX_STATISTICS_DAYS}.`);
}

const UNKNOWN = "-";
const columns: readonly [name: string, value: (day: CountedDay) => string | number | null][] = [
  ["day (UTC)", ({ day }) => day],
  ["people", ({ activePeople }) => activePeople],
  ["7 days", ({ activePeople7Days }) => activePeople7Days],
  ["28 days", ({ activePeople28Days }) => activePeople28Days],
  ["new", ({ newPeople }) => newPeople],
  ["messages", (day) => day.publicMessages + day.privateMessages + day.directMessages],
  ["public", ({ publicMessages }) => publicMessages],
  ["private", ({ privateMessages }) => privateMessages],
  ["direct", ({ directMessages }) => directMessages],
  ["by bots", ({ botMessages }) => botMessages],
  ["uploads", ({ uploadBytes }) => (uploadBytes === null ? null : describeBytes(uploadBytes))],
];

function tableOf(days: readonly CountedDay[]): string[] {
  const rows = [
    columns.map(([name]) => name),
    ...days.map((day) => columns.map(([, value]) => String(value(day) ?? UNKNOWN))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) => row.map((cell, index) => cell.padStart(widths[index] ?? 0)).join("  "));
}

/** The newest state that is known, or that none is. */
function stateOf(days: readonly CountedDay[]): string {
  const last = days.findLast(({ owners }) => owners !== null);
  if (!last) return "Who is there, and which channels, was noted on none of these days.\n";
  return `On ${last.day}: ${counted(last.owners, "owner")}, ${counted(last.administrators, "administrator")}, \
${counted(last.moderators, "moderator")}, ${counted(last.members, "member")}, ${counted(last.guests, "guest")}, \
${counted(last.bots, "bot")}; ${last.deactivatedPeople} deactivated.
Channels: ${last.publicChannels} public, ${last.privateChannels} private, ${last.archivedChannels} archived.
`;
}

function counted(count: number | null, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function describeCount(countedAt: Date | undefined): string {
  if (!countedAt) return "Not everything is counted yet. A running server does it in the background.\n";
  return `Counted up to ${countedAt.toISOString().slice(0, 16).replace("T", " ")} UTC.\n`;
}
