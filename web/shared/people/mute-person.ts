/** Muting of people, and who may be muted. */
import { muteUser, unmuteUser } from "../../../api/attention/muted-users.ts";
import { t } from "../../i18n/t.ts";
import { askFirst } from "../../ui/menus.tsx";
import { reportFailure } from "../../ui/notice.ts";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";

export function canMute(userId: number): boolean {
  return userId !== state.model.viewer.id;
}

/** Their messages are marked as read, which can't be taken back. */
export function askToMute(userId: number): void {
  const parameters = { muted_user_id: userId };
  askFirst({
    title: t("user.muteTitle", { name: nameOf(userId) }),
    text: t("user.muteText"),
    action: t("user.mute"),
    async run() {
      await reportFailure(() => state.track(() => state.connection.call(muteUser, parameters)));
      return undefined;
    },
  });
}

export function unmute(userId: number): void {
  const parameters = { muted_user_id: userId };
  void reportFailure(() => state.track(() => state.connection.call(unmuteUser, parameters)));
}
