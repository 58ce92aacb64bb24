import { statSync } from "node:fs";
import { CommandError } from "../command.ts";

/**
 * Asks for the archive of an import before anything is begun: a misspelt name must not leave an empty
 * installation behind. Throws a CommandError if there is none. One that can't be read is told of by who opens
 * it.
 */
export function checkArchiveFile(file: string): void {
  try {
    statSync(file);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return;
    throw new CommandError("file-missing", `There is no file ${file}.`, { cause: error });
  }
}
