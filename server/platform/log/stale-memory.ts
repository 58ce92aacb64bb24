import { ServerBusy } from "../db/server-busy.ts";

/** The organization changed while something was decided in memory, so it must be decided again. */
export class StaleMemory extends ServerBusy {
  constructor() {
    super("the organization's memory changed meanwhile");
  }
}
