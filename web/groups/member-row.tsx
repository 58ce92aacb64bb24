import { Show } from "solid-js";
import { canLeaveGroup, membersOf } from "../../client/group-access.ts";
import { t } from "../i18n/t.ts";
import { type Picked, pickedName } from "../shared/groups/picked.ts";
import { state } from "../shared/state/state.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { groupSignal } from "./change-group.ts";
import { groupSettingsLink } from "./settings-link.ts";

interface RowProps {
  one: Picked;
  groupId: number;
  mayRemove: boolean;
  onRemove(): void;
}

/** A person or a group that is in the group. */
export function MemberRow(props: RowProps) {
  const { kind, id } = props.one;
  const user = live(["users", "generation"], () =>
    kind === "person" ? state.model.users.get(id) : undefined,
  );
  const name = live(["users", "groups", "generation"], () => pickedName(props.one));
  const isSelf = kind === "person" && id === state.model.viewer.id;
  const mayLeave = groupSignal(props.groupId, (group) => canLeaveGroup(state.model, group), false);
  const people = live(["groups", "generation"], () =>
    kind === "group" ? membersOf(state.model, id).size : 0,
  );
  return (
    <>
      <Show
        when={kind === "person"}
        fallback={
          <>
            <span class="row-sign">
              <Icon name="group" />
            </span>
            <a class="row-text" href={groupSettingsLink(id, "members")}>
              <bdi>{name()}</bdi>
            </a>
            <span class="row-count">{t("groups.people", { count: people() })}</span>
          </>
        }
      >
        <Avatar user={user()} />
        <span class="row-text">
          <bdi>{name()}</bdi>
        </span>
        <Show when={user()?.isBot}>
          <span class="tag">{t("feed.bot")}</span>
        </Show>
        <Show when={isSelf}>
          <span class="tag">{t("subscribers.you")}</span>
        </Show>
      </Show>
      <Show when={props.mayRemove || (isSelf && mayLeave())}>
        <button
          type="button"
          class="button"
          aria-label={t("people.remove", { name: name() })}
          onClick={() => props.onRemove()}
        >
          {t("subscribers.remove")}
        </button>
      </Show>
    </>
  );
}
