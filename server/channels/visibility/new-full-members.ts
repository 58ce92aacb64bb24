/**
 * A member becomes a full member when time has passed. No request causes that, so a job announces it
 * within the hour. Permissions go by the clock and don't wait for the job.
 */
import { Type } from "typebox";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { appendMembersAdded } from "../../groups/events.ts";
import { groups, isFullMember } from "../../groups/group.ts";
import { type User, users } from "../../people/user.ts";
import { listEndsOfWaiting } from "../../people/waiting-period.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob, definePeriodicJob } from "../../platform/jobs/job.ts";
import { type Change, runStateChange } from "../../platform/log/change.ts";
import type { Services } from "../../services.ts";
import { canSeeChannel } from "../access.ts";
import { type Channel, channels } from "../channel.ts";
import { announceGained } from "./visibility-changes.ts";

const HOUR_MS = 3600 * 1000;

/** Finds those whose waiting period ended in the hour before. */
export const findNewFullMembers = definePeriodicJob({
  name: "find_new_full_members",
  schedule: "11 * * * *",
  async run({ database }: Pick<Services, "database">, { dueAt }) {
    await database.transaction(
      async (tx) => {
        const ends = await listEndsOfWaiting(tx, { after: new Date(dueAt.getTime() - HOUR_MS), upTo: dueAt });
        for (const each of ends) await enqueue(tx, announceNewFullMembers, each);
      },
      { lane: "background" },
    );
  },
});

export const announceNewFullMembers = defineJob({
  name: "announce_new_full_members",
  payload: Type.Object({ organizationId: Type.Integer(), userIds: Type.Array(Type.Integer()) }),
  async run({ organizations }: Pick<Services, "organizations">, { organizationId, userIds }) {
    const state = await organizations.byId(organizationId as OrganizationId);
    await runStateChange(state, async (tx) => {
      const members = userIds
        .map((id) => state.get(users).byId.get(id as UserId))
        .filter((user) => user?.isActive && user.role === roles.member && isFullMember(state, user));
      await tellFullMembers(tx, members as User[]);
    });
  },
});

/**
 * Everyone gets the new group members; the members themselves get the channels that only full members may
 * know of.
 */
async function tellFullMembers(tx: Change, members: readonly User[]): Promise<void> {
  if (members.length === 0) return;
  const { state } = tx;
  const groupId = state.get(groups).system("fullMembers").id;
  appendMembersAdded(
    tx,
    groupId,
    members.map(({ id }) => id),
  );
  const all = [...state.get(channels).all()];
  const gained = members.flatMap((member) => {
    const newcomer = { ...member, joinedAt: new Date().toISOString() };
    const seen = all.filter(
      (channel) => canSeeChannel(state, member, channel) && !canSeeChannel(state, newcomer, channel),
    );
    return seen.length === 0 ? [] : [{ channelIds: seen.map(({ id }) => id), userIds: [member.id] }];
  });
  await announceGained(
    tx,
    { after: state, channel: (id) => state.get(channels).byId.get(id) as Channel },
    gained,
  );
}
