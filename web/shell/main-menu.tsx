import { userSettings } from "../../api/people/user-settings.ts";
import { t } from "../i18n/t.ts";
import { StatusEmoji } from "../shared/people/status-emoji.tsx";
import { state } from "../shared/state/state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { live } from "../ui/live.ts";
import { openMenu } from "../ui/menus.tsx";
import { withPart } from "../ui/notice.ts";

const BUTTON_ID = "main-menu";
/** The viewer's picture, which opens the main menu. */
export function MainMenu(props: { onHelp(): void }) {
  const user = live(["users", "generation"], () => state.model.viewer.user);
  const presence = live([`presences:${state.model.viewer.id}`, "settings", "generation"], () =>
    state.model.settings.get(userSettings.presenceEnabled) ? "active" : "offline",
  );
  const open = (button: Element) =>
    withPart(
      () => import("./main-menu-items.ts"),
      ({ mainItems }) => {
        const items = mainItems(() => props.onHelp());
        openMenu(t("menu.title"), button, items);
      },
    );
  return (
    <button
      type="button"
      id={BUTTON_ID}
      class="main-menu"
      aria-label={t("menu.title")}
      aria-haspopup="menu"
      onClick={(event) => void open(event.currentTarget)}
    >
      <StatusEmoji userId={state.model.viewer.id} />
      <span class="main-menu-picture">
        <Avatar user={user()} />
        <span class="dot" data-presence={presence()} />
      </span>
    </button>
  );
}

export function openMainMenu(): void {
  document.getElementById(BUTTON_ID)?.click();
}
