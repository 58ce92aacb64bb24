import { CommandError, UsageError } from "./command.ts";

type Failure = Error & {
  code?: string;
  address?: string;
  port?: number;
  path?: string;
  syscall?: string;
  setting?: string;
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
  if (isForPerson || ["StartError", "BackupError", "ApiError", "CallError", "DecryptError"].includes(name))
    return message;
  if (["ConfigError", "HistoryError", "NotTheDemo"].includes(error.constructor.name)) return message;
  return explainSystemError(error) ?? error.stack ?? message;
}

function explainSystemError(error: Failure): string | undefined {
  const { setting } = error;
  switch (error.code) {
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
    default:
      return undefined;
  }
}
