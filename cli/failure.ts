import { CommandError, UsageError } from "./command.ts";

type Failure = Error & { code?: string; address?: string; port?: number; path?: string; syscall?: string };

/**
 * What is printed when a command fails: one sentence where the person can do something about it, and everything there is
 * to know where only we can.
 */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message } = error;
  const isMeant = error instanceof CommandError || error instanceof UsageError;
  // By name, so that printing a failure loads none of the modules that throw them.
  if (isMeant || ["StartError", "ApiError", "CallError"].includes(name)) return message;
  if (["ConfigError", "HistoryError", "NotTheDemo"].includes(error.constructor.name)) return message;
  return explainSystemError(error) ?? error.stack ?? message;
}

function explainSystemError(error: Failure): string | undefined {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${error.port} on ${error.address} is taken by another program: stop it, or name another in PARLEY_PORT.`;
    case "EADDRNOTAVAIL":
      return `This machine has no address ${error.address} to listen on: name another in PARLEY_HOST.`;
    case "ENOTFOUND":
      return error.syscall === "getaddrinfo" ? "The host name in PARLEY_HOST is not known." : undefined;
    case "EACCES":
    case "EPERM":
      if (error.syscall === "listen")
        return `Port ${error.port} needs more rights: name one above 1023 in PARLEY_PORT.`;
      return error.path && `${error.path} belongs to another user: run this as that user, or as root.`;
    case "ENOSPC":
      return "The disk is full.";
    default:
      return undefined;
  }
}
