/**
 * Everybody's values of profile fields, as the JSON that lists of people have. They are read once, and then
 * those of people who changed theirs. So an answer to `/register` reads none of them, and makes no list of
 * people again.
 */
import type { Position, UserId } from "../../../api/ids.ts";
import type { EverybodysProfileData, ProfileData } from "../../people/profile-data.ts";
import type { Queryable } from "../../platform/db/database.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import type { Projection } from "../../platform/log/projection.ts";
import { profileFields } from "./profile-fields.ts";
import { listProfileData } from "./value-store.ts";

interface Kept {
  /** Grows with every change of what is kept. */
  version: number;
  /** undefined: to be read as a whole. */
  data: Map<UserId, string> | undefined;
  /** The head of the newest snapshot that something was read in. */
  readAt: Position;
  /** The newest change of each person who is to be read again. */
  changedAt: Map<UserId, Position>;
  /** The newest change of many at once. */
  allChangedAt: Position;
  /** When all were read, in UNIX milliseconds. */
  allReadAt: number;
}

/** Then all are read again: a node of an earlier version does not say who changed values. */
const KEPT_MS = 10 * 60 * 1000;

/** The people whose values changed; null: anybody's may have. */
export type ProfileValuesPatch = readonly UserId[] | null;

/** Advisory: no check at a commit depends on a value in memory. */
export const profileValues: Projection<Kept, ProfileValuesPatch> = {
  name: "profile_values",
  isAdvisory: true,
  load: async () => ({
    version: 0,
    data: undefined,
    readAt: 0 as Position,
    changedAt: new Map(),
    allChangedAt: 0 as Position,
    allReadAt: 0,
  }),
  apply(value, patch, _state, position) {
    if (patch === null) {
      value.data = undefined;
      value.allChangedAt = position;
      value.changedAt.clear();
    } else for (const userId of patch) value.changedAt.set(userId, position);
  },
};

const nothing: EverybodysProfileData = { data: new Map(), version: 0 };

/** Reads what has changed through `tx`, whose snapshot memory has reached. */
export async function readEverybodysProfileData(
  state: OrganizationState,
  tx: Queryable,
): Promise<EverybodysProfileData> {
  if (state.get(profileFields).all.length === 0) return nothing;
  const kept = state.get(profileValues);
  const before = Date.now() - kept.allReadAt < KEPT_MS ? kept.data : undefined;
  const changed = before && [...kept.changedAt.keys()];
  if (before && changed?.length === 0) return { data: before, version: kept.version };
  const [{ head }, read] = await Promise.all([
    state.readHeads(tx),
    listProfileData(tx, state.organizationId, changed),
  ]);
  const data = before ? withChanges(before, changed ?? [], read) : new Map(read);
  // A later snapshot may have been read meanwhile, or everything may have changed after this one.
  if (head < kept.readAt || head < kept.allChangedAt || (before && kept.data !== before)) {
    return { data, version: undefined };
  }
  kept.version++;
  kept.readAt = head;
  if (!before) kept.allReadAt = Date.now();
  kept.data = data;
  for (const [userId, position] of kept.changedAt) {
    if (position <= head && (!before || changed?.includes(userId))) kept.changedAt.delete(userId);
  }
  return { data, version: kept.version };
}

/** A map of its own, since others may still use the one before. */
function withChanges(
  before: ProfileData,
  changed: readonly UserId[],
  read: ProfileData,
): Map<UserId, string> {
  const data = new Map(before);
  for (const userId of changed) {
    const values = read.get(userId);
    if (values === undefined) data.delete(userId);
    else data.set(userId, values);
  }
  return data;
}
