import { exitCodes } from "./exit-codes.ts";
import type { Fault } from "./fault.ts";

/** What a command names, reads and writes. */
export const commandFaults = {
  "organization-missing": {
    number: "P501",
    exit: exitCodes.failure,
    what: "There is no organization yet, or none at the host name that was given.",
    remedy: "`parley organization list` prints them. `parley organization create NAME` makes one.",
  },
  "account-missing": {
    number: "P502",
    exit: exitCodes.failure,
    what: "No account of the organization has this email address.",
    remedy:
      "`parley user list` prints the accounts. With several organizations, `--host HOST` says which one is meant.",
  },
  "account-unfit": {
    number: "P503",
    exit: exitCodes.failure,
    what: "The account is there, but the command is not for one like it: a bot, or one that is deactivated or gone.",
    remedy:
      "`parley user list` says what each account is. `parley user reactivate EMAIL` lets a person use an account again.",
  },
  "not-found": {
    number: "P504",
    exit: exitCodes.failure,
    what: "What the command names, a channel, an import, a mail or an identity, is not there or is archived.",
    remedy: "Look at its name. `parley user identities EMAIL` lists identities.",
  },
  "owner-missing": {
    number: "P505",
    exit: exitCodes.failure,
    what: "The organization has no active owner, in whose name the command could act.",
    remedy: "`parley user reactivate EMAIL` lets an owner use the account again.",
  },
  "call-refused": {
    number: "P506",
    exit: exitCodes.failure,
    what: "The server, or the rules that hold for its API, refused what the command asked for. Nothing was changed.",
    remedy: "The sentence says why. The page `/api/errors` of a running server explains each refusal.",
  },
  "value-refused": {
    number: "P507",
    exit: exitCodes.data,
    what: "A value that was given is not one that it can be, such as a name or a password.",
    remedy: "Correct the value that the sentence names.",
  },
  "organization-exists": {
    number: "P508",
    exit: exitCodes.cantCreate,
    what: "There is already an organization at this host name.",
    remedy: "Give the new one a host name of its own: `--host HOST`.",
  },
  cancelled: {
    number: "P509",
    exit: exitCodes.failure,
    what: "The command asked, and the answer was no or did not come. Or it was interrupted. It took back what it had begun.",
    remedy: "Run it again.",
  },
  "server-away": {
    number: "P510",
    exit: exitCodes.unavailable,
    what: "No server answers at the address.",
    remedy:
      "Look whether it runs: `systemctl status parley`, and `parley doctor` for why not. `PARLEY_SITE` names another server.",
  },
  "not-signed-in": {
    number: "P511",
    exit: exitCodes.denied,
    what: "The command calls a server as somebody, and does not know as whom.",
    remedy:
      "Give `--as EMAIL` on the machine of the server, or `--zuliprc FILE`, or set `PARLEY_EMAIL` and `PARLEY_API_KEY`.",
  },
  zuliprc: {
    number: "P512",
    exit: exitCodes.settings,
    what: "The file with an address, a key and a server can't be read, or lacks one of the three.",
    remedy: "`parley api-key EMAIL --zuliprc FILE` writes a new one.",
  },
  "file-missing": {
    number: "P513",
    exit: exitCodes.noInput,
    what: "A file or a directory that the command should read is not there.",
    remedy: "Look at the path: `ls -l PATH`.",
  },
  "file-exists": {
    number: "P514",
    exit: exitCodes.cantCreate,
    what: "The file that the command would write is there already. It is never replaced.",
    remedy: "Name a new file, or remove the old one.",
  },
  "file-unwritable": {
    number: "P515",
    exit: exitCodes.cantCreate,
    what: "The file can't be written: its folder is missing, or this user may not write there.",
    remedy: "`ls -ld FOLDER` shows whose it is. Name a file in another folder.",
  },
  "file-denied": {
    number: "P516",
    exit: exitCodes.denied,
    what: "A file that the command needs belongs to another user.",
    remedy: "`ls -l FILE` shows whose it is. Run the command as that user, or as root.",
  },
  "import-archive": {
    number: "P517",
    exit: exitCodes.data,
    what: "The archive is damaged, incomplete, or not an export that can be imported. Nothing was kept of it.",
    remedy: "Export it again from the other program. [Imports](imports.md) says what can be imported.",
  },
  "import-running": {
    number: "P518",
    exit: exitCodes.later,
    what: "An import to this host name is going on.",
    remedy: "Wait for it. Or interrupt it, and take back what it made: `parley import cancel --host HOST`.",
  },
  "import-finished": {
    number: "P519",
    exit: exitCodes.failure,
    what: "The import has ended and people may use the organization, so it can't be taken back.",
    remedy: "`parley organization deactivate --host HOST` stops all use of it.",
  },
  "output-unwritable": {
    number: "P520",
    exit: exitCodes.io,
    what: "What a command printed could not be written, so its reader does not have all of it.",
    remedy: "Look at the disk to which the output goes: `df -h`. Then run the command again.",
  },
  bug: {
    number: "P521",
    exit: exitCodes.bug,
    what: "Something happened that the program does not know. The lines above have the place in the program.",
    remedy: "Report it with these lines and what `parley doctor` prints. Take out what is secret.",
  },
  "erasure-running": {
    number: "P522",
    exit: exitCodes.later,
    what: "A person's data is being erased, and an archive made now would have a part of it.",
    remedy: "Wait for some minutes, then run the command again.",
  },
} as const satisfies Record<string, Fault>;
