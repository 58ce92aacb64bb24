/** The work that a request causes, for tests that compare two requests without a clock. */
import { vi } from "vitest";
import { passwordQueue } from "../../server/platform/crypto/passwords.ts";
import { WatchedClient } from "../../server/platform/db/watched-client.ts";

export interface Work {
  /** The texts of all statements, sorted: statements that are sent together may be noted in any order. */
  statements: string[];
  hashes: number;
}

/** What the server asks its database for, and how many passwords it hashes, until the action is done. */
export async function workOf<T>(action: () => Promise<T>): Promise<{ result: T; work: Work }> {
  const query = vi.spyOn(WatchedClient.prototype, "query");
  const hash = vi.spyOn(passwordQueue, "enter");
  try {
    const result = await action();
    const statements = query.mock.calls
      .map(([asked]) => (typeof asked === "string" ? asked : asked.text))
      // A connection may be opened at any time.
      .filter((text) => !text.includes("set_config("));
    return { result, work: { statements: statements.sort(), hashes: hash.mock.calls.length } };
  } finally {
    query.mockRestore();
    hash.mockRestore();
  }
}
