/** What can be done with somebody, beyond writing to them. */
import { roles } from "../../../api/roles.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { t } from "../../i18n/t.ts";
import { copyLinkTo } from "../../ui/copy.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { go } from "../routing/route.ts";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";
import { askToMute, canMute, unmute } from "./mute-person.ts";

export const profileLink = (userId: number) => `#user/${userId}`;

export function openPersonMenu(userId: number, anchor: Element): void {
  openMenu(t("user.actions", { name: nameOf(userId) }), anchor, itemsOf(userId));
}

function itemsOf(userId: number): MenuItem[] {
  const { mutedUsers, users, viewer } = state.model;
  const user = users.get(userId);
  const isMuted = mutedUsers.has(userId);
  const sentBy = hashOfNarrow({ narrow: [{ operator: "sender", operand: userId }] });
  const canManage = (viewer.user?.role ?? roles.guest) <= roles.administrator;
  const items: (MenuItem | false)[] = [
    { icon: "user", label: t("user.profile"), run: () => go(profileLink(userId)) },
    { icon: "search", label: t("user.sent"), run: () => go(sentBy) },
    { icon: "copy", label: t("user.copyLink"), run: () => void copyProfileLink(userId) },
    canMute(userId) && {
      ...{ icon: isMuted ? "eye" : "userOff", label: t(isMuted ? "user.unmute" : "user.mute") },
      run: () => (isMuted ? unmute(userId) : askToMute(userId)),
    },
    canManage && {
      ...{ icon: "settings", label: t("user.manage"), startsGroup: true },
      run: () => go(user?.isBot ? "#organization/bots" : "#organization/users"),
    },
  ];
  return items.filter((item) => item !== false);
}

function copyProfileLink(userId: number): Promise<void> {
  return copyLinkTo(profileLink(userId));
}
