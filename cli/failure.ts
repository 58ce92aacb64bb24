import { type FoundFault, faults, withNumber } from "../server/platform/faults/catalogue.ts";
import { type ExitCode, exitCodes } from "../server/platform/faults/exit-codes.ts";
import { FaultError } from "../server/platform/faults/fault-error.ts";
import { UsageError } from "./command.ts";
import { safeLine } from "./terminal/terminal-text.ts";

type Failure = Error & {
  code?: string;
  address?: string;
  port?: number;
  path?: string;
  syscall?: string;
  setting?: string;
  /** How the call of a CallError failed. */
  failure?: { kind: string };
  /** Set on an error of a process that was started as root and became this user. */
  becameUser?: string | undefined;
};

/**
 * The text that is printed when a command fails, and the exit code. It is a sentence with the number of
 * its fault if the person who ran the command can solve the problem. Otherwise it is the stack, for a bug
 * report.
 */
export function explainFailure(error: unknown): { text: string; exit: ExitCode } {
  if (error instanceof UsageError) return { text: error.message, exit: exitCodes.usage };
  const [fault, sentence] = describeFailure(error);
  return { text: withNumber(fault, sentence), exit: faults[fault].exit };
}

const STOPPED: FoundFault = [
  "database-away",
  "The database went away while the command worked: its server was stopped, or is starting again. Run the command again when the server is back.",
];
/** What a connection says that its other end has closed. A file that nobody reads says it in other words. */
const CLOSED = /^Connection terminated|^(read|write) (ECONNRESET|EPIPE)$/;
const GONE_CODES = ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"];

/** Whether the connection to the database ended, or could not be opened again. */
function isDatabaseGone(error: Failure): boolean {
  const { message, syscall, code = "" } = error;
  if (["DatabaseUnavailable", "OutcomeUnknown"].includes(error.constructor.name)) return true;
  return CLOSED.test(message) || (syscall === "connect" && GONE_CODES.includes(code));
}

/** The fault, and the sentence about it without its number. That about a bug begins with the stack. */
export function describeFailure(error: unknown): FoundFault {
  if (error instanceof FaultError) {
    // It may name files as an archive of others does, with signs that command a terminal.
    const isOfOthers = error.name === "ArchiveError";
    return [error.fault, isOfOthers ? safeLine(error.message) : error.message];
  }
  if (!(error instanceof Error)) return describeBug(String(error));
  // Compared by name, so that printing a failure does not load the modules that throw these errors.
  if (error.name === "ApiError") return ["call-refused", error.message];
  if (error.name === "CallError") return describeCall(error);
  return (
    describeSystemError(error) ??
    (isDatabaseGone(error) ? STOPPED : describeBug(error.stack ?? error.message))
  );
}

function describeBug(stack: string): FoundFault {
  return ["bug", `${stack}\nThis is a fault of Parley.`];
}

function describeCall(error: Failure): FoundFault {
  const isRefused = error.failure?.kind === "api";
  return [isRefused ? "call-refused" : "server-away", error.message];
}

function describeSystemError(error: Failure): FoundFault | undefined {
  const { setting } = error;
  const refusal = findRefusal(error);
  switch (refusal?.code ?? error.code) {
    case "57P01":
    case "57P02":
    case "57P03":
      return STOPPED;
    case "EADDRINUSE":
      return [
        "port-in-use",
        `Port ${error.port} on ${error.address} is already in use, perhaps by another Parley server. Stop that program, or choose another port with ${setting ?? "PARLEY_PORT"}.`,
      ];
    case "EADDRNOTAVAIL":
      return [
        "address-away",
        `This machine has no address ${error.address} to listen on. Choose another with ${setting ?? "PARLEY_HOST"}.`,
      ];
    case "ENOTFOUND":
      if (error.syscall !== "getaddrinfo") return undefined;
      return [
        "address-away",
        `The host name in ${setting ?? "PARLEY_HOST"} is unknown. Set it to an address of this machine.`,
      ];
    case "EACCES":
    case "EPERM":
      return describeDenied(error);
    case "ERR_MODULE_NOT_FOUND":
      // A missing file of our own is a bug, and is reported as "Cannot find module".
      if (!error.message.startsWith("Cannot find package")) return undefined;
      return [
        "package-missing",
        "Some of Parley's packages are not installed. Run `npm ci` in Parley's folder first.",
      ];
    case "ENOSPC":
      return ["disk-full", "The disk is full. Free some space, then try again."];
    case "53100":
      return ["disk-full", "The disk under the database is full. Free some space, then try again."];
    case "53200":
      return ["no-memory", "The database has too little memory. Give the machine more, then try again."];
    case "53300":
      return [
        "database-connections",
        "All connections that the database allows are taken. Stop what uses them, or raise max_connections, or the limit of the role or the database: a server needs up to 31 for each process.",
      ];
    case "25006":
      return [
        "database-read-only",
        "The database takes no writes: it is read-only or a replica. Set DATABASE_URL to the primary server.",
      ];
    case "42501":
      return [
        "database-denied",
        `The database refused: ${refusal?.message}. Its user must own the database: ALTER DATABASE … OWNER TO ….`,
      ];
    default:
      return undefined;
  }
}

function describeDenied(error: Failure): FoundFault | undefined {
  const { setting } = error;
  if (error.syscall === "listen" && error.becameUser)
    return [
      "port-denied",
      `Port ${error.port} needs a right that user ${error.becameUser} does not have, as whom the server runs because the data belongs to that user. Let systemd give it with AmbientCapabilities=CAP_NET_BIND_SERVICE, or choose a port above 1023 with ${setting ?? "PARLEY_PORT"}.`,
    ];
  if (error.syscall === "listen")
    return [
      "port-denied",
      `Only root may listen on port ${error.port}. Choose a port above 1023 with ${setting ?? "PARLEY_PORT"}.`,
    ];
  if (!error.path) return undefined;
  return ["file-denied", `${error.path} belongs to another user. Run this command as that user, or as root.`];
}

/** The error of PostgreSQL in it, which has a code of five characters that begins with a digit. */
function findRefusal(error: Failure): Failure | undefined {
  const cause = error.cause as Failure | undefined;
  return [error, cause].find((one) => /^\d[0-9A-Z]{4}$/.test(one?.code ?? ""));
}
