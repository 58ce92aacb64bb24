import type { FieldsOf } from "../../../api/event.ts";
import { defaultChannelGroupsChanged } from "../../../api/events/default-channels.ts";
import { type BeforeCommitHook, patchesOf } from "../../platform/log/before-commit-hook.ts";
import type { Change } from "../../platform/log/change.ts";
import type { Audience, StatePatch } from "../../platform/log/log-entry.ts";
import type { OrganizationState } from "../../platform/log/organization-state.ts";
import { type Projection, patchOf } from "../../platform/log/projection.ts";
import { type Channel, channels } from "../channel.ts";
import { toNonGuests } from "../visibility/audiences.ts";
import { type DefaultGroup, listDefaultGroups } from "./store.ts";

export interface DefaultGroupsPatch {
  put?: DefaultGroup[];
  remove?: number[];
}

/** Sets of channels that people can choose from when they join. */
export const defaultGroups: Projection<Map<number, DefaultGroup>, DefaultGroupsPatch> = {
  name: "default_groups",
  async load(tx, organizationId) {
    const all = await listDefaultGroups(tx, organizationId);
    return new Map(all.map((group) => [group.id, group]));
  },
  apply(value, { put = [], remove = [] }) {
    for (const group of put) value.set(group.id, group);
    for (const id of remove) value.delete(id);
  },
};

type DefaultGroupRecord = FieldsOf<typeof defaultChannelGroupsChanged>["default_stream_groups"][number];

/**
 * The channels that a set offers. A channel that is now archived or private stays stored in the set, for
 * when it is neither.
 */
export function presentDefaultGroups(
  all: Iterable<DefaultGroup>,
  find: (id: DefaultGroup["channelIds"][number]) => Channel | undefined,
): DefaultGroupRecord[] {
  return [...all]
    .sort((a, b) => a.id - b.id)
    .map(({ id, name, description, channelIds }) => ({
      id,
      name,
      description,
      streams: channelIds.filter((channelId) => isOffered(find(channelId))),
    }));
}

export function presentDefaultGroupsNow(state: OrganizationState): DefaultGroupRecord[] {
  const { byId } = state.get(channels);
  return presentDefaultGroups(state.get(defaultGroups).values(), (id) => byId.get(id));
}

/** Appends all sets after a change of any of them, for everyone but guests. */
export function announceDefaultGroups(tx: Change, patch: DefaultGroupsPatch): void {
  const { byId } = tx.state.get(channels);
  const after = new Map(tx.state.get(defaultGroups));
  defaultGroups.apply(after, patch, tx.state, tx.state.position);
  const shown = presentDefaultGroups(after.values(), (id) => byId.get(id));
  appendDefaultGroups(tx, shown, patchOf(defaultGroups, patch));
}

/** Archiving a channel or making it private, or undoing that, may change what the sets offer. */
export const defaultGroupChanges: BeforeCommitHook = {
  projections: [channels.name],
  run(tx, patches) {
    const { state } = tx;
    const put = patchesOf(patches, channels).flatMap((patch) => patch.put);
    const after = new Map(put.map((channel) => [channel.id, channel]));
    const { byId } = state.get(channels);
    const isChanged = [...state.get(defaultGroups).values()].some(({ channelIds }) =>
      channelIds.some((id) => after.has(id) && isOffered(after.get(id)) !== isOffered(byId.get(id))),
    );
    if (!isChanged) return;
    const shown = presentDefaultGroups(
      state.get(defaultGroups).values(),
      (id) => after.get(id) ?? byId.get(id),
    );
    appendDefaultGroups(tx, shown);
  },
};

function appendDefaultGroups(
  tx: Change,
  shown: DefaultGroupRecord[],
  ...patches: readonly StatePatch[]
): void {
  appendDefaultGroupsTo(tx, shown, toNonGuests, ...patches);
}

export function appendDefaultGroupsTo(
  tx: Change,
  shown: DefaultGroupRecord[],
  audience: Audience,
  ...patches: readonly StatePatch[]
): void {
  tx.append(defaultChannelGroupsChanged, { default_stream_groups: shown }, audience, ...patches);
}

function isOffered(channel: Channel | undefined): boolean {
  return channel !== undefined && !channel.isArchived && !channel.isPrivate;
}
