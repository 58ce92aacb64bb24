import { For, Index, Show } from "solid-js";
import { type RoleName, roles } from "../../../api/roles.ts";
import { t } from "../../i18n/t.ts";
import { live } from "../../ui/live.ts";
import { RenderedContent } from "../../ui/rendered-content.tsx";
import { state } from "../state/state.ts";
import { nameOf } from "../text/names.ts";
import { timeIn } from "../text/times.ts";
import { profileLink } from "./person-menu.ts";
import type { ShownField } from "./profile-fields.ts";
import { EmojiSign } from "./status-emoji.tsx";

export function roleName(role: number | undefined): string {
  const names = Object.keys(roles) as RoleName[];
  const name = names.find((one) => roles[one] === role);
  return name === undefined ? "" : t(`role.${name}`);
}

/** What time it is for somebody; undefined: it is not known, or means nothing. */
export function localTimeOf(userId: number): string | undefined {
  const user = state.model.users.get(userId);
  return !user || user.timezone === "" || user.isBot ? undefined : timeIn(user.timezone);
}

/** Whether somebody is there, in a sign and in words. Muted people are in no list of those who are there. */
export function PresenceLine(props: { userId: number }) {
  const user = live([`users:${props.userId}`, "generation"], () => state.model.users.get(props.userId));
  const isMuted = live(["mutedUsers", "generation"], () => state.model.mutedUsers.has(props.userId));
  const presence = live([`presences:${props.userId}`, "generation"], () =>
    state.model.presences.statusOf(props.userId),
  );
  return (
    <Show
      when={!isMuted()}
      fallback={
        <p class="user-presence">
          <span>{t("user.isMuted")}</span>
        </p>
      }
    >
      <Show when={!user()?.isBot && user()?.isActive}>
        <p class="user-presence">
          <span class="dot" data-presence={presence()} aria-hidden="true" />
          {t(`presence.${presence()}`)}
        </p>
      </Show>
    </Show>
  );
}

export function StatusLine(props: { userId: number }) {
  const status = live(["userStatuses", "customEmoji", "users", "generation"], () => {
    const { emoji, text } = state.model.userStatuses.of(props.userId) ?? {};
    return emoji || text ? { emoji, text } : undefined;
  });
  return (
    <Show when={status()}>
      {(one) => (
        <p class="user-status">
          <Show when={one().emoji}>{(emoji) => <EmojiSign code={emoji().code} type={emoji().type} />}</Show>
          <bdi>{one().text}</bdi>
        </p>
      )}
    </Show>
  );
}

/** The fields of a profile, one under the other. */
export function FieldList(props: { fields: readonly ShownField[] }) {
  return (
    <dl>
      <Index each={props.fields}>
        {(field) => (
          <div>
            <dt>{field().name}</dt>
            <dd dir="auto">
              <FieldValue field={field()} />
            </dd>
          </div>
        )}
      </Index>
    </dl>
  );
}

function FieldValue(props: { field: ShownField }) {
  return (
    <Show when={props.field.userIds} fallback={<TextValue field={props.field} />}>
      {(ids) => (
        <For each={ids()}>
          {(id, at) => (
            <>
              {at() > 0 && ", "}
              <a href={profileLink(id)}>
                <bdi>{nameOf(id)}</bdi>
              </a>
            </>
          )}
        </For>
      )}
    </Show>
  );
}

function TextValue(props: { field: ShownField }) {
  return (
    <Show
      when={props.field.html}
      fallback={
        <Show when={props.field.url} fallback={props.field.text}>
          {(url) => (
            <a href={url()} target="_blank" rel="noopener noreferrer">
              {props.field.text}
            </a>
          )}
        </Show>
      }
    >
      {(html) => <RenderedContent html={html()} />}
    </Show>
  );
}
