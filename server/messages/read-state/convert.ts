/**
 * An older release had one row for a person and a channel, with a range for each gap between topics that were
 * read. Such a row stays right: where no row of a topic says anything, it decides. But a long one is slow to
 * look at, so this moves what it says into rows of topics, little by little.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { organization } from "../../organization/organization.ts";
import { definePeriodicJob } from "../../platform/jobs/job.ts";
import { type Change, runContentChange } from "../../platform/log/change.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Services } from "../../services.ts";
import { fillOldest } from "./bound-store.ts";
import { convertRanges, deleteOldReadState, listOldReadStates, type OldReadState } from "./convert-store.ts";
import { announceRead } from "./events.ts";
import { lockReadState } from "./read-state-lock.ts";

/** How many rows one run may take. */
const MAX_ROWS = 1000;
/** Nobody marks anything in the organization while a row is converted, so they get their turn in between. */
const PAUSE_MS = 50;
/** After this time, the rest is left to another run. */
const RUN_MS = 45_000;

export const convertReadStates = definePeriodicJob({
  name: "convert_read_states",
  schedule: "* * * * *",
  async run({ database, organizations }: Pick<Services, "database" | "organizations">, { signal }) {
    const endsAt = Date.now() + RUN_MS;
    const rows = await database.transaction((tx) => listOldReadStates(tx, MAX_ROWS), { lane: "background" });
    for (const { organizationId, ...row } of rows) {
      signal.throwIfAborted();
      if (Date.now() > endsAt) return;
      const state = await organizations.byId(organizationId);
      await convertOne(state, row);
      await sleep(PAUSE_MS);
    }
  },
});

/** Converts a row, in as many transactions as it takes. */
export async function convertOne(state: OrganizationState, row: OldReadState): Promise<void> {
  let isDone = false;
  while (!isDone) isDone = await runContentChange(state, (tx) => convertPart(tx, row));
}

async function convertPart(tx: Change, row: OldReadState): Promise<boolean> {
  const { organizationId } = tx.state;
  await lockReadState(tx, organizationId);
  const { isDone, oversized } = await convertRanges(tx, organizationId, row);
  for (const each of oversized) {
    const filled = await fillOldest(tx, organizationId, row.userId, each);
    if (filled.length > 0 && tx.state.get(organization).isActive) announceRead(tx, [row.userId], filled);
  }
  if (isDone) await deleteOldReadState(tx, organizationId, row);
  return isDone;
}
