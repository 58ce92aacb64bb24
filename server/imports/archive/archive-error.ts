import { FaultError } from "../../platform/faults/fault-error.ts";
/** The archive can't be imported. The message is a sentence for the person who named it. */
export class ArchiveError extends FaultError {
  override name = "ArchiveError";

  constructor(message: string, options?: ErrorOptions) {
    super("import-archive", message, options);
  }
}
