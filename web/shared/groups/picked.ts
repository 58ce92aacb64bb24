/** People, groups and channels that are chosen together, and those that fit what is typed. */
import { best, type Ranked } from "../../../client/autocomplete/rank.ts";
import { state } from "../state/state.ts";
import { channelName, nameOf } from "../text/names.ts";
import { groupName } from "./group-name.ts";

export interface Picked {
  kind: "person" | "group" | "channel";
  id: number;
}

const MAX_SHOWN = 8;

export function pickedName({ kind, id }: Picked): string {
  if (kind === "person") return nameOf(id);
  return kind === "group" ? groupName(id) : `#${channelName(id)}`;
}

export function isSamePicked(one: Picked, other: Picked): boolean {
  return one.kind === other.kind && one.id === other.id;
}

interface Choice {
  /** undefined: everybody who is active. */
  people?: ((userId: number) => boolean) | undefined;
  groupIds?: readonly number[] | undefined;
  channelIds?: readonly number[] | undefined;
}

/** The best of what can be chosen. Without a text, groups and channels alone are proposed. */
export function findPicked(text: string, { people, groupIds = [], channelIds = [] }: Choice): Picked[] {
  const named = (kind: Picked["kind"], ids: readonly number[]): Picked[] => ids.map((id) => ({ kind, id }));
  const others = [...named("group", groupIds), ...named("channel", channelIds)];
  if (text.trim() === "") return others.slice(0, MAX_SHOWN);
  return best(
    [
      ...peopleFor(people),
      ...others.map((item, at) => ({ item, name: pickedName(item).replace(/^#/, ""), order: 2 + at / 1e6 })),
    ],
    text.replace(/^[#@]/, ""),
    MAX_SHOWN,
  );
}

/** Bots come after people. */
function* peopleFor(isWanted: (userId: number) => boolean = () => true): Iterable<Ranked<Picked>> {
  for (const { id, fullName, isActive, isBot } of state.model.users.byId.values()) {
    if (!isActive || !isWanted(id)) continue;
    yield { item: { kind: "person", id }, name: fullName, order: isBot ? 3 : 1 };
  }
}
