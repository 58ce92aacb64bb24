import { Show } from "solid-js";
import { t } from "../../i18n/t.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { Popover } from "../../ui/popover.tsx";
import { insertText } from "../compose/compose-target.ts";
import { directLink } from "../routing/links.ts";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";
import { openStatus } from "./open-status.tsx";
import { FieldList, localTimeOf, PresenceLine, roleName, StatusLine } from "./person-facts.tsx";
import { openPersonMenu, profileLink } from "./person-menu.ts";
import { fieldsOf } from "./profile-fields.ts";

/** Presence, status, local time and the short profile of somebody, and how to reach them. */
export function UserCard(props: { userId: number; anchor: Element; onClose(): void }) {
  const id = props.userId;
  const user = live([`users:${id}`, "generation"], () => state.model.users.get(id));
  const fields = live(["users", "profileFields", "generation"], () =>
    fieldsOf(id).filter(({ isInSummary }) => isInSummary),
  );
  const mention = () => {
    props.onClose();
    insertText(`@**${nameOf(id)}|${id}** `);
  };
  return (
    <Popover
      anchor={props.anchor}
      class="user-card"
      role="dialog"
      label={nameOf(id)}
      onClose={() => props.onClose()}
    >
      <div class="user-head">
        <Avatar user={user()} />
        <div>
          <h2 dir="auto">
            <a href={profileLink(id)} onClick={() => props.onClose()}>
              {nameOf(id)}
            </a>
          </h2>
          <p class="user-role">
            {roleName(user()?.role)}
            <Show when={user()?.isBot}> · {t("feed.bot")}</Show>
            <Show when={user()?.isActive === false}> · {t("user.deactivated")}</Show>
          </p>
        </div>
        <button
          type="button"
          class="square"
          aria-label={t("user.actions", { name: nameOf(id) })}
          aria-haspopup="menu"
          onClick={() => openPersonMenu(id, props.anchor)}
        >
          <Icon name="more" />
        </button>
      </div>
      <PresenceLine userId={id} />
      <StatusLine userId={id} />
      <Show when={localTimeOf(id)}>{(time) => <p>{t("user.localTime", { time: time() })}</p>}</Show>
      <FieldList fields={fields()} />
      <p class="buttons">
        <Show when={user()?.isActive}>
          <a class="button primary" href={directLink([id])} data-autofocus="" onClick={() => props.onClose()}>
            {t("user.message")}
          </a>
          <button type="button" class="button" onClick={mention}>
            {t("user.mention")}
          </button>
        </Show>
        <Show when={id === state.model.viewer.id}>
          <button type="button" class="button" onClick={openStatus}>
            {t("status.title")}
          </button>
        </Show>
      </p>
    </Popover>
  );
}
