/** People as lists show them: those who are there first, then by name. Muted ones are left out. */
import { fold } from "../../../client/autocomplete/fold.ts";
import { language } from "../../i18n/t.ts";
import { state } from "../state/state.ts";

const rank = { active: 0, idle: 1, offline: 2 };

/** Those of the given people who are no bots and whose names fit the text. */
export function orderPeople(ids: Iterable<number>, text: string): number[] {
  const { users, mutedUsers, presences, viewer } = state.model;
  const wanted = fold(text);
  const { compare } = new Intl.Collator(language());
  return [...ids]
    .flatMap((id) => {
      const user = users.get(id);
      if (!user?.isActive || user.isBot || mutedUsers.has(id) || !fold(user.fullName).includes(wanted))
        return [];
      return [{ id, name: user.fullName, rank: id === viewer.id ? 0 : rank[presences.statusOf(id)] }];
    })
    .sort((a, b) => a.rank - b.rank || compare(a.name, b.name))
    .map(({ id }) => id);
}
