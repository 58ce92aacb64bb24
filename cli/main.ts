import { faults, withNumber } from "../server/platform/faults/catalogue.ts";
import { keepHeapSmall } from "../server/process/gc-tuning.ts";
import { parseArguments } from "./arguments.ts";
import { type CommandEntry, exitCodes, UsageError } from "./command.ts";
import { explainFailure } from "./failure.ts";
import { faultHelp, isFaultNumber } from "./fault-help.ts";
import { commandHelp, groupHelp, programHelp } from "./help.ts";
import { applySettings } from "./setting-options.ts";
import { closest } from "./suggest.ts";

const entries: CommandEntry[] = [
  entry("serve", "run the server", async () => {
    keepHeapSmall();
    return (await import("./commands/serve.ts")).serve;
  }),
  entry("demo", "run a server with a demo organization", async () => {
    keepHeapSmall();
    return (await import("./commands/demo.ts")).demo;
  }),
  entry(
    "organization create",
    "create an organization and its owner",
    async () => (await import("./commands/organization-create.ts")).organizationCreate,
  ),
  entry(
    "organization list",
    "list the organizations of the server",
    async () => (await import("./commands/organization-list.ts")).organizationList,
  ),
  entry(
    "organization deactivate",
    "stop all use of an organization",
    async () => (await import("./commands/organization-deactivate.ts")).organizationDeactivate,
  ),
  entry(
    "organization reactivate",
    "let people use an organization again",
    async () => (await import("./commands/organization-reactivate.ts")).organizationReactivate,
  ),
  entry(
    "user create",
    "create an account",
    async () => (await import("./commands/user-create.ts")).userCreate,
  ),
  entry("user list", "list accounts", async () => (await import("./commands/user-list.ts")).userList),
  entry(
    "user role",
    "give somebody another role",
    async () => (await import("./commands/user-role.ts")).userRole,
  ),
  entry(
    "user deactivate",
    "end all use of an account",
    async () => (await import("./commands/user-deactivate.ts")).userDeactivate,
  ),
  entry(
    "user reactivate",
    "let somebody use an account again",
    async () => (await import("./commands/user-reactivate.ts")).userReactivate,
  ),
  entry(
    "user export",
    "write a copy of somebody's own data to a file",
    async () => (await import("./commands/user-export.ts")).userExport,
  ),
  entry(
    "user erase",
    "delete everything that tells who a person was",
    async () => (await import("./commands/user-erase.ts")).userErase,
  ),
  entry(
    "user unlock",
    "let somebody sign in after too many wrong passwords",
    async () => (await import("./commands/user-unlock.ts")).userUnlock,
  ),
  entry(
    "user reset-password",
    "print a link by which somebody chooses another password",
    async () => (await import("./commands/user-reset-password.ts")).userResetPassword,
  ),
  entry(
    "user change-email",
    "give somebody another email address",
    async () => (await import("./commands/user-change-email.ts")).userChangeEmail,
  ),
  entry(
    "user sessions",
    "list or end the sessions of somebody",
    async () => (await import("./commands/user-sessions.ts")).userSessions,
  ),
  entry(
    "user permit-email-changes",
    "let an administrator change email addresses",
    async () => (await import("./commands/user-permit-email-changes.ts")).userPermitEmailChanges,
  ),
  entry(
    "user reset-second-step",
    "remove somebody's second steps and passkeys",
    async () => (await import("./commands/user-reset-second-step.ts")).userResetSecondStep,
  ),
  entry(
    "user identities",
    "list or end the accounts at providers by which somebody signs in",
    async () => (await import("./commands/user-identities.ts")).userIdentities,
  ),
  entry(
    "mail queue",
    "list the mails that have not left, and why",
    async () => (await import("./commands/mail-queue.ts")).mailQueue,
  ),
  entry(
    "mail retry",
    "let mails be sent now",
    async () => (await import("./commands/mail-retry.ts")).mailRetry,
  ),
  entry(
    "mail test",
    "send a mail and print what the mail server answered",
    async () => (await import("./commands/mail-test.ts")).mailTest,
  ),
  entry(
    "mail discard",
    "throw away mails that have not left",
    async () => (await import("./commands/mail-discard.ts")).mailDiscard,
  ),
  entry(
    "invite",
    "print a link by which one person joins",
    async () => (await import("./commands/invite.ts")).invite,
  ),
  entry(
    "channel list",
    "list channels, private ones too",
    async () => (await import("./commands/channel-list.ts")).channelList,
  ),
  entry(
    "channel create",
    "make a channel",
    async () => (await import("./commands/channel-create.ts")).channelCreate,
  ),
  entry(
    "channel rename",
    "give a channel another name",
    async () => (await import("./commands/channel-rename.ts")).channelRename,
  ),
  entry(
    "channel archive",
    "archive a channel, or take it back into use",
    async () => (await import("./commands/channel-archive.ts")).channelArchive,
  ),
  entry("bot create", "create a bot", async () => (await import("./commands/bot-create.ts")).botCreate),
  entry(
    "statistics",
    "print how much an organization is used",
    async () => (await import("./commands/statistics.ts")).statistics,
  ),
  entry("storage", "print what takes room", async () => (await import("./commands/storage.ts")).storage),
  entry(
    "files adopt",
    "make another place that of the files",
    async () => (await import("./commands/files-adopt.ts")).filesAdopt,
  ),
  entry(
    "topic merge",
    "join topics whose names are the same",
    async () => (await import("./commands/topic-merge.ts")).topicMerge,
  ),
  entry(
    "api-key",
    "show or replace someone's API key",
    async () => (await import("./commands/api-key.ts")).apiKey,
  ),
  entry(
    "export",
    "write an organization's data to a file",
    async () => (await import("./commands/export.ts")).exportOrganization,
  ),
  entry(
    "import zulip",
    "make an organization of an export of Zulip",
    async () => (await import("./commands/import-zulip.ts")).importZulip,
  ),
  entry(
    "import slack",
    "make an organization of an export of Slack",
    async () => (await import("./commands/import-slack.ts")).importSlack,
  ),
  entry(
    "import mattermost",
    "make an organization of an export of Mattermost",
    async () => (await import("./commands/import-mattermost.ts")).importMattermost,
  ),
  entry(
    "import parley",
    "make an organization of an export of everything",
    async () => (await import("./commands/import-parley.ts")).importParley,
  ),
  entry(
    "import cancel",
    "take back an import that was interrupted",
    async () => (await import("./commands/import-cancel.ts")).importCancel,
  ),
  entry(
    "backup verify",
    "restore a backup for a trial and compare",
    async () => (await import("./commands/backup-verify.ts")).backupVerify,
  ),
  entry(
    "backup list",
    "list the backups in a target",
    async () => (await import("./commands/backup-list.ts")).backupList,
  ),
  entry(
    "backup",
    "back up database, files and secret",
    async () => (await import("./commands/backup.ts")).backup,
  ),
  entry(
    "restore",
    "restore a backup into a new directory",
    async () => (await import("./commands/restore.ts")).restore,
  ),
  entry("audit-log", "show who changed what", async () => (await import("./commands/audit-log.ts")).auditLog),
  entry("send", "send a message", async () => (await import("./commands/send.ts")).send),
  entry("tail", "follow messages in the terminal", async () => (await import("./commands/tail.ts")).tail),
  entry(
    "secret rotate",
    "replace the secret by another one",
    async () => (await import("./commands/secret-rotate.ts")).secretRotate,
  ),
  entry(
    "secret reset",
    "give everybody new keys when the secret is lost",
    async () => (await import("./commands/secret-reset.ts")).secretReset,
  ),
  entry(
    "completion",
    "print a script by which a shell completes commands",
    async () => (await import("./commands/completion.ts")).completion,
  ),
  entry("man", "write manual pages for man", async () => (await import("./commands/man.ts")).man),
  entry(
    "config",
    "print the settings in force, and what is wrong with them",
    async () => (await import("./commands/config.ts")).config,
  ),
  entry(
    "doctor",
    "find out why the server does not run",
    async () => (await import("./commands/doctor.ts")).doctor,
  ),
];

function entry(name: string, summary: string, load: () => Promise<unknown>): CommandEntry {
  // A command declares the types of its own options, and the parser produces values of these types.
  return { name, summary, load: load as CommandEntry["load"] };
}

const wasRoot = process.getuid?.() === 0;
let outputError: NodeJS.ErrnoException | undefined;
// A server's exit code says how it stopped, and its lines for people are no result.
const isServer = ["serve", "demo"].includes(process.argv[2] ?? "");
// A reader such as `head` may close the pipe early, which is no failure. A server goes on without a reader.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" && !isServer) process.exit(exitCodes.ok);
  outputError ??= error;
});
const code = await main(process.argv.slice(2));
process.exit(isServer || (await isWritten()) ? code : faults["output-unwritable"].exit);

/** Waits for what was printed. A script must not believe that it has what the disk did not take. */
async function isWritten(): Promise<boolean> {
  // Not if nothing was printed: a full disk refuses even an empty text, and nothing is lost.
  if (process.stdout.writableLength > 0) await new Promise((resolve) => process.stdout.write("", resolve));
  // The error of a write comes in a later turn than the write.
  await new Promise((resolve) => setImmediate(resolve));
  if (!outputError) return true;
  const reason = outputError.code === "ENOSPC" ? "the disk is full" : outputError.code;
  const sentence = `Standard output can't be written: ${reason}. Not everything was printed.`;
  process.stderr.write(`${withNumber("output-unwritable", sentence)}\n`);
  return false;
}

async function main(argv: readonly string[]): Promise<number> {
  const [first, ...rest] = argv;
  if (first === "help" && isFaultNumber(rest[0] ?? "")) return showFault(rest[0] ?? "");
  if (first === "help" && rest.length > 0) return main([...rest, "--help"]);
  if (first === undefined) return answerIncomplete(programHelp(entries));
  if (first === "help" || isHelp(first)) return showHelp(programHelp(entries));
  if (first === "--version" || first === "-V") return printVersion();
  // `backup` is a command as well as the first word of others.
  const isCommand = entries.some(({ name }) => name === first);
  const group = isCommand ? [] : entries.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && rest[0] === undefined) return answerIncomplete(groupHelp(first, group));
  if (group.length > 0 && isHelp(rest[0])) return showHelp(groupHelp(first, group));
  const found = entries.find(({ name }) => name.split(" ").every((word, index) => argv[index] === word));
  if (!found) return refuse(argv);
  return runCommand(found, argv.slice(found.name.split(" ").length));
}

function isHelp(word: string | undefined): boolean {
  return word === "--help" || word === "-h";
}

function showHelp(text: string): number {
  process.stdout.write(text);
  return exitCodes.ok;
}

function showFault(number: string): number {
  const text = faultHelp(number);
  if (text !== undefined) return showHelp(text);
  process.stderr.write(`There is no fault ${number}. docs/faults.md lists all of them.\n`);
  return exitCodes.usage;
}

/** The name of a command is missing: the help goes to standard error, and the call fails. */
function answerIncomplete(text: string): number {
  process.stderr.write(text);
  return exitCodes.usage;
}

async function runCommand({ name, load }: CommandEntry, argv: readonly string[]): Promise<number> {
  try {
    const command = await load();
    const { values, settings, words, wantsHelp } = parseArguments(command, argv);
    if (wantsHelp) return showHelp(commandHelp(command));
    applySettings(settings, process.env);
    return await command.run({ values, words, environment: process.env, settings, entries });
  } catch (error) {
    if (error instanceof Error && wasRoot && process.getuid?.() !== 0) {
      const { becameUser } = await import("./installation/owner.ts");
      Object.assign(error, { becameUser: becameUser() });
    }
    const { text, exit } = explainFailure(error);
    process.stderr.write(`${text}\n`);
    if (error instanceof UsageError) process.stderr.write(`Run parley ${name} --help for more.\n`);
    return exit;
  }
}

async function printVersion(): Promise<number> {
  const { serverVersion } = await import("../server/version.ts");
  // The version that clients see begins with the release that they take this server for.
  process.stdout.write(`parley ${serverVersion.replace(/^.*parley-/, "")}\n`);
  return exitCodes.ok;
}

function refuse(argv: readonly string[]): number {
  const names = entries.map(({ name }) => name);
  const [first = ""] = argv;
  const group = names.filter((name) => name.startsWith(`${first} `));
  const isInGroup = group.length > 0 && argv[1] !== undefined;
  const written = isInGroup ? `${first} ${argv[1]}` : first;
  const groups = new Set(names.filter((name) => name.includes(" ")).map((name) => name.split(" ")[0] ?? ""));
  const meant = isInGroup ? closest(written, group) : closest(written, [...names, ...groups]);
  process.stderr.write(
    `There is no command '${written}'.${meant ? ` Did you mean '${meant}'?` : ""}\nRun parley ${isInGroup ? `${first} ` : ""}--help for a list.\n`,
  );
  return exitCodes.usage;
}
