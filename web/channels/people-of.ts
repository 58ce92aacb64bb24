import { membersOf } from "../../client/group-access.ts";
import type { Picked } from "../shared/groups/picked.ts";
import { state } from "../shared/state/state.ts";
import { fetchSubscribers } from "./subscriber-ids.ts";

/** Everybody who is meant: the people, the members of the groups and the subscribers of the channels. */
export async function peopleOf(chosen: readonly Picked[]): Promise<number[]> {
  const all = new Set<number>();
  for (const { kind, id } of chosen) {
    if (kind === "person") all.add(id);
    else if (kind === "group") for (const member of membersOf(state.model, id)) all.add(member);
    else for (const member of (await fetchSubscribers(id)).subscribers) all.add(member);
  }
  return [...all].filter((id) => state.model.users.get(id)?.isActive);
}

/** The groups and channels whose people can be chosen together: all but the group of nobody. */
export function sourcesOfPeople(without?: number): { groupIds: number[]; channelIds: number[] } {
  const { groups, channels } = state.model;
  const usable = [...groups.byId.values()].filter(
    ({ name, isDeactivated }) => !isDeactivated && name !== "role:nobody" && name !== "role:internet",
  );
  return {
    groupIds: usable.sort((a, b) => Number(a.isSystem) - Number(b.isSystem)).map(({ id }) => id),
    channelIds: [...channels.byId.keys()].filter((id) => id !== without),
  };
}
