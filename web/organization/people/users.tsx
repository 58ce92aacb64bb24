/** Everybody with an account. */
import { createSignal, Show } from "solid-js";
import { deactivateUser, reactivateUser } from "../../../api/people/deactivate-users.ts";
import { roles } from "../../../api/roles.ts";
import type { User } from "../../../client/model/users.ts";
import { t } from "../../i18n/t.ts";
import { openUserCard } from "../../shared/people/open-user-card.tsx";
import { directLink } from "../../shared/routing/links.ts";
import { go } from "../../shared/routing/route.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Select } from "../../ui/fields.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import { live } from "../../ui/live.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { openOverlay } from "../../ui/overlay.ts";
import { call, isAdministrator } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { RowButton, RowText } from "../controls/rows.tsx";
import { EditProfile } from "./edit-profile.tsx";
import { EditUser } from "./edit-user.tsx";
import { roleName } from "./role-name.ts";

/** Faster than comparing texts one by one, for thousands of people. */
const collator = new Intl.Collator();
const shown = ["active", "guests", "deactivated"] as const;
type Shown = (typeof shown)[number];

export function Users() {
  const [which, setWhich] = createSignal<Shown>("active");
  const mayManage = isAdministrator();
  const ids = live(["users", "generation"], () =>
    [...state.model.users.byId.values()]
      .filter((user) => isShown(user, which()))
      .sort((a, b) => collator.compare(a.fullName, b.fullName))
      .map(({ id }) => id),
  );
  return (
    <>
      <Select
        label={t("users.show")}
        value={which()}
        options={shown.map((value) => ({ value, label: t(`users.${value}`) }))}
        onChange={setWhich}
      />
      <FilteredList
        label={t(`users.${which()}`)}
        items={ids()}
        textOf={(id) => `${nameOf(id)} ${addressOf(id)}`}
        draw={(id) => <UserRow id={id} mayManage={mayManage()} />}
        height={560}
        empty={t("users.none")}
      />
    </>
  );
}

function isShown({ isBot, isActive, role }: User, which: Shown): boolean {
  if (isBot) return false;
  if (which === "deactivated") return !isActive;
  return isActive && (which === "active" || role === roles.guest);
}

function addressOf(id: number): string {
  const user = state.model.users.get(id);
  return user?.deliveryEmail ?? user?.email ?? "";
}

function UserRow(props: { id: number; mayManage: boolean }) {
  const { id } = props;
  const sources = [`users:${id}`, "generation"];
  const user = live(sources, () => state.model.users.get(id));
  const role = live(sources, () => roleName(state.model.users.get(id)?.role));
  const name = live(sources, () => nameOf(id));
  const address = live(sources, () => addressOf(id));
  return (
    <>
      <Avatar user={user()} />
      <RowText
        name={
          <button
            type="button"
            class="name-button"
            onClick={(event) => openUserCard(id, event.currentTarget)}
          >
            <bdi>{name()}</bdi>
          </button>
        }
        about={`${role()} · ${address()}`}
      />
      <Show when={props.mayManage}>
        <RowButton
          icon="more"
          label={t("users.actions", { name: name() })}
          run={(button) => openMenu(t("users.actions", { name: name() }), button, itemsFor(id))}
        />
      </Show>
    </>
  );
}

function itemsFor(id: number): MenuItem[] {
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
