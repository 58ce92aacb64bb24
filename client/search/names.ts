/** The names in searches: from a typed name to an id, and back. */
import { fold } from "../autocomplete/fold.ts";
import type { Model } from "../model/model.ts";

export interface SearchNames {
  channelId(typed: string): number | undefined;
  channelName(id: number): string | undefined;
  /** undefined if several people have the name. */
  userId(typed: string): number | undefined;
  userName(id: number): string | undefined;
}

export function namesOf({ channels, users, viewer }: Model): SearchNames {
  return {
    channelId(typed) {
      const wanted = fold(typed.replace(/^#/, ""));
      for (const { id, name } of channels.byId.values()) if (fold(name) === wanted) return id;
      const id = readId(typed);
      return id !== undefined && channels.get(id) ? id : undefined;
    },
    channelName: (id) => channels.get(id)?.name,
    userId(typed) {
      const name = typed.replace(/^@/, "");
      if (fold(name) === "me") return viewer.id;
      const named = readId(/\|(\d+)$/.exec(name)?.[1] ?? "");
      if (named !== undefined && users.get(named)) return named;
      const wanted = fold(name);
      const found: number[] = [];
      for (const { id, fullName, email } of users.byId.values()) {
        if (email.toLowerCase() === wanted) return id;
        if (fold(fullName) === wanted) found.push(id);
      }
      if (found.length > 0) return found.length === 1 ? found[0] : undefined;
      const id = readId(name);
      return id !== undefined && users.get(id) ? id : undefined;
    },
    userName: (id) => users.get(id)?.fullName,
  };
}

export function readId(typed: string): number | undefined {
  return /^\d{1,15}$/.test(typed) ? Number(typed) : undefined;
}
