import { CommandError, UsageError } from "./command.ts";

type Failure = Error & {
  code?: string;
  address?: string;
  port?: number;
  path?: string;
  syscall?: string;
  setting?: string;
  /** Set on an error of a process that was started as root and became this user. */
  becameUser?: string | undefined;
};

/**
 * The text that is printed when a command fails. It is a sentence if the person who ran the command can solve
 * the problem. Otherwise it is the stack, for a bug report.
 */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  const isForPerson = error instanceof CommandError || error instanceof UsageError;
  // Compared by name, so that printing a failure does not load the modules that throw these errors.
  if (
    isForPerson ||
    ["StartError", "BackupError", "CertificateError", "ApiError", "CallError", "DecryptError"].includes(name)
  )
    return message;
  if (
    ["ConfigError", "HistoryError", "NotTheDemo", "StorageAway", "FilesElsewhere"].includes(
      error.constructor.name,
    )
  )
    return message;
  return explainSystemError(error) ?? (isDatabaseGone(error) ? STOPPED : (error.stack ?? message));
}

const STOPPED =
  "The database went away while the command worked: its server was stopped, or is starting again. Run the command again when the server is back.";
/** What a connection says that its other end has closed. */
const CLOSED = /^Connection terminated/;
const GONE_CODES = ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"];

/** Whether the connection to the database ended, or could not be opened again. */
function isDatabaseGone(error: Failure): boolean {
  const { message, syscall, code = "" } = error;
  if (["DatabaseUnavailable", "OutcomeUnknown"].includes(error.constructor.name)) return true;
  return CLOSED.test(message) || (syscall === "connect" && GONE_CODES.includes(code));
}

function explainSystemError(error: Failure): string | undefined {
  const { setting } = error;
  const refusal = findRefusal(error);
  switch (refusal?.code ?? error.code) {
    case "57P01":
    case "57P02":
    case "57P03":
      return STOPPED;
    case "EADDRINUSE":
      return `Port ${error.port} on ${error.address} is already in use, perhaps by another Parley server. Stop that program, or choose another port with ${setting ?? "PARLEY_PORT"}.`;
    case "EADDRNOTAVAIL":
      return `This machine has no address ${error.address} to listen on. Choose another with ${setting ?? "PARLEY_HOST"}.`;
    case "ENOTFOUND":
      return error.syscall === "getaddrinfo"
        ? `The host name in ${setting ?? "PARLEY_HOST"} is unknown. Set it to an address of this machine.`
        : undefined;
    case "EACCES":
    case "EPERM":
      if (error.syscall === "listen" && error.becameUser)
        return `Port ${error.port} needs a right that user ${error.becameUser} does not have, as whom the server runs because the data belongs to that user. Let systemd give it with AmbientCapabilities=CAP_NET_BIND_SERVICE, or choose a port above 1023 with ${setting ?? "PARLEY_PORT"}.`;
      if (error.syscall === "listen")
        return `Only root may listen on port ${error.port}. Choose a port above 1023 with ${setting ?? "PARLEY_PORT"}.`;
      return (
        error.path && `${error.path} belongs to another user. Run this command as that user, or as root.`
      );
    case "ERR_MODULE_NOT_FOUND":
      // A missing file of our own is a bug, and is reported as "Cannot find module".
      return error.message.startsWith("Cannot find package")
        ? "Some of Parley's packages are not installed. Run `npm ci` in Parley's folder first."
        : undefined;
    case "ENOSPC":
      return "The disk is full. Free some space, then try again.";
    case "53100":
      return "The disk under the database is full. Free some space, then try again.";
    case "53200":
      return "The database has too little memory. Give the machine more, then try again.";
    case "53300":
      return "All connections of the database are taken. Stop what uses them, or raise its max_connections.";
    case "25006":
      return "The database takes no writes: it is read-only or a replica. Set DATABASE_URL to the primary server.";
    case "42501":
      return `The database refused: ${refusal?.message}. Its user must own the database: ALTER DATABASE … OWNER TO ….`;
    default:
      return undefined;
  }
}

/** The error of PostgreSQL in it, which has a code of five characters that begins with a digit. */
function findRefusal(error: Failure): Failure | undefined {
  const cause = error.cause as Failure | undefined;
  return [error, cause].find((one) => /^\d[0-9A-Z]{4}$/.test(one?.code ?? ""));
}
