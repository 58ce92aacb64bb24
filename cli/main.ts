import { keepHeapSmall } from "../server/process/gc-tuning.ts";
import { parseArguments } from "./arguments.ts";
import { type Command, exitCodes, UsageError } from "./command.ts";
import { explainFailure } from "./failure.ts";
import { commandHelp, programHelp } from "./help.ts";
import { closest } from "./suggest.ts";

interface Entry {
  name: string;
  summary: string;
  /** Only the command that was asked for is read from disk. */
  load(): Promise<Command>;
}

const entries: Entry[] = [
  entry("serve", "run the server", async () => {
    keepHeapSmall();
    return (await import("./serve.ts")).serve;
  }),
  entry("demo", "run a server with a demo organization", async () => {
    keepHeapSmall();
    return (await import("./demo.ts")).demo;
  }),
  entry(
    "organization create",
    "create an organization and its owner",
    async () => (await import("./organization-create.ts")).organizationCreate,
  ),
  entry("user create", "create an account", async () => (await import("./user-create.ts")).userCreate),
  entry("api-key", "show or replace someone's API key", async () => (await import("./api-key.ts")).apiKey),
  entry("send", "send a message", async () => (await import("./send.ts")).send),
  entry("tail", "follow messages in the terminal", async () => (await import("./tail.ts")).tail),
  entry(
    "doctor",
    "look for what keeps the server from running",
    async () => (await import("./doctor.ts")).doctor,
  ),
];

function entry(name: string, summary: string, load: () => Promise<unknown>): Entry {
  // A command knows the types of its own options, and the parser has made them so.
  return { name, summary, load: load as Entry["load"] };
}

// A reader such as `head` that has seen enough is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(exitCodes.ok);
  throw error;
});
process.exit(await main(process.argv.slice(2)));

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    const asked = first === "help" && rest.length > 0 ? [...rest, "--help"] : undefined;
    if (asked) return main(asked);
    (first === undefined ? process.stderr : process.stdout).write(programHelp(entries));
    return first === undefined ? exitCodes.usage : exitCodes.ok;
  }
  if (first === "--version" || first === "-V") return printVersion();
  const found = entries.find(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  if (!found) return refuse(argv);
  return runCommand(found, argv.slice(found.name.split(" ").length));
}

async function runCommand({ name, load }: Entry, argv: readonly string[]): Promise<number> {
  try {
    const command = await load();
    const { values, words, wantsHelp } = parseArguments(command, argv);
    if (!wantsHelp) return await command.run({ values, words, environment: process.env });
    process.stdout.write(commandHelp(command));
    return exitCodes.ok;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    process.stderr.write(`${explainFailure(error)}\n`);
    if (isUsage) process.stderr.write(`parley ${name} --help says more.\n`);
    return isUsage ? exitCodes.usage : exitCodes.failure;
  }
}

async function printVersion(): Promise<number> {
  const { serverVersion } = await import("../server/version.ts");
  // Before our own version stands the release that clients take it for.
  process.stdout.write(`parley ${serverVersion.replace(/^.*parley-/, "")}\n`);
  return exitCodes.ok;
}

function refuse(argv: readonly string[]): number {
  const names = entries.map(({ name }) => name);
  const [first = ""] = argv;
  const group = names.filter((name) => name.startsWith(`${first} `));
  const written = group.length > 0 && argv[1] !== undefined ? `${first} ${argv[1]}` : first;
  const meant = group.length > 0 ? group[0] : closest(written, names);
  process.stderr.write(
    `There is no command '${written}'.${meant ? ` Did you mean '${meant}'?` : ""}\nparley --help lists all.\n`,
  );
  return exitCodes.usage;
}
