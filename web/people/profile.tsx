import { createMemo, Show } from "solid-js";
import { t } from "../i18n/t.ts";
import {
  FieldList,
  localTimeOf,
  PresenceLine,
  roleName,
  StatusLine,
} from "../shared/people/person-facts.tsx";
import { openPersonMenu } from "../shared/people/person-menu.ts";
import { fieldsOf, type ShownField } from "../shared/people/profile-fields.ts";
import { directLink } from "../shared/routing/links.ts";
import { go } from "../shared/routing/route.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { dateName } from "../shared/text/times.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { SharedChannels } from "./shared-channels.tsx";

/** Everything that is known of somebody: the profile, the channels shared with the viewer, the groups. */
export function Profile(props: { userId: number }) {
  const user = live(["users", "generation"], () => state.model.users.get(props.userId));
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1 dir="auto">{user() ? nameOf(props.userId) : t("feed.unknownUser")}</h1>
        <Show when={user()}>
          <button
            type="button"
            class="square"
            aria-label={t("user.actions", { name: nameOf(props.userId) })}
            aria-haspopup="menu"
            onClick={(event) => openPersonMenu(props.userId, event.currentTarget)}
          >
            <Icon name="more" />
          </button>
        </Show>
      </header>
      <div class="profile">
        <Show when={user()} fallback={<p>{t("user.unknown")}</p>}>
          <Facts userId={props.userId} />
          <SharedChannels userId={props.userId} />
          <GroupsOf userId={props.userId} />
        </Show>
      </div>
    </>
  );
}

function Facts(props: { userId: number }) {
  const user = live(["users", "generation"], () => state.model.users.get(props.userId));
  const fields = live(["users", "profileFields", "generation"], () => fieldsOf(props.userId));
  const facts = createMemo((): ShownField[] => {
    const one = user();
    if (!one) return [];
    const email = one.deliveryEmail;
    const joined = dateName(Date.parse(one.dateJoined));
    const own = (name: string, text: string): ShownField => ({ name, text, isInSummary: false });
    return [
      ...(email ? [{ ...own(t("user.email"), email), url: `mailto:${email}` }] : []),
      ...(joined === undefined ? [] : [own(t("user.joined"), joined)]),
      ...(one.botOwnerId === null || one.botOwnerId === undefined
        ? []
        : [{ ...own(t("user.owner"), nameOf(one.botOwnerId)), userIds: [one.botOwnerId] }]),
      ...fields(),
    ];
  });
  return (
    <section class="profile-top">
      <div class="user-head">
        <Avatar user={user()} />
        <div>
          <p class="user-role">
            {roleName(user()?.role)}
            <Show when={user()?.isBot}> · {t("feed.bot")}</Show>
            <Show when={user()?.isActive === false}> · {t("user.deactivated")}</Show>
          </p>
          <PresenceLine userId={props.userId} />
          <StatusLine userId={props.userId} />
          <Show when={localTimeOf(props.userId)}>
            {(time) => <p>{t("user.localTime", { time: time() })}</p>}
          </Show>
        </div>
        <Show when={user()?.isActive}>
          <a class="button primary" href={directLink([props.userId])}>
            {t("user.message")}
          </a>
        </Show>
      </div>
      <FieldList fields={facts()} />
    </section>
  );
}

function GroupsOf(props: { userId: number }) {
  const names = live(["groups", "generation"], () => {
    const { groups } = state.model;
    return [...groups.byId.values()]
      .filter(({ id, isSystem, isDeactivated }) => {
        return !isSystem && !isDeactivated && groups.isMember(id, props.userId);
      })
      .map(({ id, name }) => ({ id, name }));
  });
  return (
    <section>
      <h2>{t("user.groups")}</h2>
      <Show when={names().length > 0} fallback={<p>{t("user.noGroups")}</p>}>
        <ul class="profile-places">
          <Keyed each={names()} by={({ id }) => id}>
            {(group) => (
              <li>
                <a href={`#groups/${group().id}`}>
                  <bdi>{group().name}</bdi>
                </a>
              </li>
            )}
          </Keyed>
        </ul>
      </Show>
    </section>
  );
}
