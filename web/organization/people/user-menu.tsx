/** What administrators do with one person. */
import { deactivateUser, reactivateUser } from "../../../api/people/deactivate-users.ts";
import { t } from "../../i18n/t.ts";
import { directLink } from "../../shared/routing/links.ts";
import { go } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { openOverlay } from "../../ui/overlay.ts";
import { call } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { EditProfile } from "./edit-profile.tsx";
import { EditUser } from "./edit-user.tsx";

export function menuOf(id: number): MenuItem[] {
  const user = state.model.users.get(id);
  if (!user) return [];
  const edit: MenuItem = {
    ...{ icon: "pencil", label: t("users.edit") },
    run: () => openOverlay((close) => <EditUser id={id} onClose={close} />),
  };
  const profile: MenuItem = {
    ...{ icon: "user", label: t("users.profile") },
    run: () => openOverlay((close) => <EditProfile id={id} onClose={close} />),
  };
  const edits = state.model.profileFields.byId.size > 0 ? [edit, profile] : [edit];
  if (!user.isActive)
    return [
      ...edits,
      { icon: "check", label: t("users.reactivate"), run: () => askToReactivate(id, user.fullName) },
    ];
  const isSelf = id === state.model.viewer.id;
  const write: MenuItem = { icon: "direct", label: t("user.message"), run: () => go(directLink([id])) };
  const deactivate: MenuItem = {
    ...{ icon: "close", label: t("users.deactivate"), isDangerous: true },
    run: () => askToDeactivate(id, user.fullName),
  };
  return isSelf ? edits : [...edits, write, deactivate];
}

function askToDeactivate(id: number, name: string): void {
  const bots = [...state.model.users.byId.values()].filter((bot) => bot.botOwnerId === id && bot.isActive);
  ask({
    title: t("users.deactivateTitle", { name }),
    text: t(bots.length > 0 ? "users.deactivateBots" : "users.deactivateText", { count: bots.length }),
    action: t("users.deactivate"),
    run: () => call(deactivateUser, { user_id: id }),
  });
}

function askToReactivate(id: number, name: string): void {
  ask({
    title: t("users.reactivateTitle", { name }),
    text: t("users.reactivateText"),
    action: t("users.reactivate"),
    run: () => call(reactivateUser, { user_id: id }),
  });
}
