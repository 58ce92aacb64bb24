import { expect, test } from "vitest";
import { errors } from "./errors.ts";
import { impliedErrors } from "./implied-errors.ts";
import { endpoints } from "./index.ts";

test("any endpoint may answer that the server can't do this now", () => {
  const causes = [
    errors.shuttingDown,
    errors.databaseAway,
    errors.serverBusy,
    errors.tooManyBodies,
    errors.filesAway,
    errors.diskFull,
    errors.outOfMemory,
    errors.tooManyConnections,
  ];
  for (const endpoint of endpoints) {
    expect(impliedErrors(endpoint), endpoint.name).toEqual(expect.arrayContaining(causes));
  }
});
