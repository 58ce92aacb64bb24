import { ApiError } from "../../api/errors.ts";
import { CommandError } from "../command.ts";

/** Parses a value. A refusal begins with `source`, the option, setting or argument that holds the value. */
export function checkValue<T>(source: string, parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof ApiError)
      throw new CommandError("value-refused", `${source}: ${error.message}`, { cause: error });
    throw error;
  }
}
