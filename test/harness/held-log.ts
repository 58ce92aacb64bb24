import { vi } from "vitest";
import { batcherOf } from "../../server/messages/send/send.ts";
import { sql } from "../../server/platform/db/sql.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";

/**
 * Holds the lock of the organization's log until the returned function is called, as a slow commit of another
 * node would.
 */
export async function holdLog(state: OrganizationState): Promise<() => Promise<void>> {
  let release = () => {};
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  const done = state.database.transaction(async (tx) => {
    await tx.query(
      sql`select from organization_logs where organization_id = ${state.organizationId} for update`,
    );
    isHeld();
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  await held;
  return async () => {
    release();
    await done;
  };
}

/**
 * Sends messages of which none is written before so many wait for their batch. Otherwise it depends on the
 * machine how many come together.
 */
export async function sendTogether<T>(
  state: OrganizationState,
  count: number,
  send: () => Promise<T>,
): Promise<T> {
  const release = await holdLog(state);
  const add = vi.spyOn(batcherOf(state), "add");
  let hasEnded = false;
  const note = () => {
    hasEnded = true;
  };
  const sent = send();
  sent.then(note, note);
  while (!hasEnded && add.mock.calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  await release();
  add.mockRestore();
  return sent;
}
