/** What groups are called on the screen: the system's own in words, the others as they are. */
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { state } from "../state/state.ts";

const systemNames: Readonly<Record<string, TextKey>> = {
  "role:internet": "group.internet",
  "role:everyone": "group.everyone",
  "role:members": "group.members",
  "role:fullmembers": "group.fullMembers",
  "role:moderators": "group.moderators",
  "role:administrators": "group.administrators",
  "role:owners": "group.owners",
  "role:nobody": "group.nobody",
};

/** The texts of settings have to be there. */
export function groupName(groupId: number): string {
  const group = state.model.groups.byId.get(groupId);
  const key = systemNames[group?.name ?? ""];
  return key ? t(key) : (group?.name ?? t("group.unknown"));
}
