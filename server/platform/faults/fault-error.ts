import type { FaultName } from "./catalogue.ts";

/**
 * A problem that the person who runs the program can solve. The message is a sentence for them, which says
 * why and what to do. It is printed with the number of its fault, whose exit code the program ends with.
 */
export class FaultError extends Error {
  readonly fault: FaultName;

  constructor(fault: FaultName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
