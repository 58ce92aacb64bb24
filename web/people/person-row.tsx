import { Show } from "solid-js";
import { userSettings } from "../../api/people/user-settings.ts";
import { t } from "../i18n/t.ts";
import { openUserCard } from "../shared/people/open-user-card.tsx";
import { StatusEmoji } from "../shared/people/status-emoji.tsx";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { Avatar } from "../ui/avatar.tsx";
import { live } from "../ui/live.ts";

/** As the setting numbers them. */
const STYLES = { compact: 1, withStatus: 2, withPicture: 3 };

/** Somebody, with presence and status. The row opens the card. */
export function PersonRow(props: { userId: number }) {
  const id = props.userId;
  const user = live([`users:${id}`, "generation"], () => state.model.users.get(id));
  const presence = live([`presences:${id}`, "generation"], () => state.model.presences.statusOf(id));
  const text = live(["userStatuses", "generation"], () => state.model.userStatuses.of(id)?.text ?? "");
  const style = live(["settings", "generation"], () => state.model.settings.get(userSettings.userListStyle));
  return (
    <li>
      <button
        type="button"
        class="person"
        tabindex={-1}
        aria-haspopup="dialog"
        onClick={(event) => openUserCard(id, event.currentTarget)}
      >
        <Show when={style() === STYLES.withPicture}>
          <Avatar user={user()} />
        </Show>
        <span class="dot" data-presence={presence()} />
        <bdi class="person-name">{user() && nameOf(id)}</bdi>
        <Show when={id === state.model.viewer.id}>
          <span class="you"> {t("people.you")}</span>
        </Show>
        <StatusEmoji userId={id} />
        <Show when={style() !== STYLES.compact && text() !== ""}>
          <bdi class="person-status" aria-hidden="true">
            {text()}
          </bdi>
        </Show>
        <span class="sr"> ({t(`presence.${presence()}`)})</span>
      </button>
    </li>
  );
}
