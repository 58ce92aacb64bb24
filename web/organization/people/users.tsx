/** Everybody with an account. */
import { type Accessor, createMemo, createSignal, Show } from "solid-js";
import { roles } from "../../../api/roles.ts";
import type { User } from "../../../client/model/users.ts";
import { t } from "../../i18n/t.ts";
import { openUserCard } from "../../shared/people/open-user-card.tsx";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { fullTime, listTime } from "../../shared/text/times.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Select } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { openMenu } from "../../ui/menus.tsx";
import type { Selecting } from "../../ui/table-selection.tsx";
import { isAdministrator } from "../calls.ts";
import { RowButton, TableName } from "../controls/rows.tsx";
import { bulkActions, canChange } from "./bulk-actions.tsx";
import { roleName } from "./role-name.ts";
import { menuOf } from "./user-menu.tsx";

/** Faster than comparing texts one by one, for thousands of people. */
const collator = new Intl.Collator();
const shown = ["active", "guests", "deactivated"] as const;
type Shown = (typeof shown)[number];

export function Users() {
  const [which, setWhich] = createSignal<Shown>("active");
  const mayManage = isAdministrator();
  const ids = live(["users", "generation"], () =>
    [...state.model.users.byId.values()].filter((user) => isShown(user, which())).map(({ id }) => id),
  );
  const selecting: Selecting<number> = { nameOf, canSelect: canChange, draw: bulkActions };
  const columns = createMemo(columnsOf);
  return (
    <>
      <Select
        label={t("users.show")}
        value={which()}
        options={shown.map((value) => ({ value, label: t(`users.${value}`) }))}
        onChange={setWhich}
      />
      <DataTable
        label={t(`users.${which()}`)}
        rows={ids()}
        by={(id) => id}
        textOf={(id) => `${nameOf(id)} ${addressOf(id)} ${roleName(state.model.users.get(id)?.role)}`}
        columns={columns()}
        actions={mayManage() ? (id) => <Actions id={id()} /> : undefined}
        selecting={mayManage() && which() !== "deactivated" ? selecting : undefined}
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

const userOf = (id: number) => state.model.users.get(id);

function addressOf(id: number): string {
  return userOf(id)?.deliveryEmail ?? userOf(id)?.email ?? "";
}

/** In milliseconds; 0 if that is not known. */
const joinedAt = (id: number) => Date.parse(userOf(id)?.dateJoined ?? "") || 0;
const activeAt = (id: number) => state.model.presences.lastActiveAt(id) * 1000;

const columnsOf = (): Column<number>[] => [
  {
    ...{ id: "name", label: t("users.name") },
    compare: (a, b) => collator.compare(nameOf(a), nameOf(b)),
    draw: (id) => <Person id={id()} />,
  },
  {
    ...{ id: "role", label: t("users.role") },
    compare: (a, b) =>
      (userOf(a)?.role ?? 0) - (userOf(b)?.role ?? 0) || collator.compare(nameOf(a), nameOf(b)),
    draw: (id) => <Role id={id()} />,
  },
  {
    ...{ id: "email", label: t("users.email") },
    compare: (a, b) => collator.compare(addressOf(a), addressOf(b)),
    draw: (id) => <Address id={id()} />,
  },
  {
    ...{ id: "active", label: t("users.lastActive") },
    compare: (a, b) => activeAt(a) - activeAt(b),
    isGreatestFirst: true,
    draw: (id) => <LastActive id={id()} />,
  },
  {
    ...{ id: "joined", label: t("users.joined") },
    compare: (a, b) => joinedAt(a) - joinedAt(b),
    isGreatestFirst: true,
    draw: (id) => <Time of={() => joinedAt(id())} />,
  },
];

/** On a phone, the line below the name has what the other columns have. */
function Person(props: { id: number }) {
  const { id } = props;
  const sources = [`users:${id}`, "generation"];
  const user = live(sources, () => userOf(id));
  const name = live(sources, () => nameOf(id));
  const about = live(sources, () => [roleName(userOf(id)?.role), addressOf(id)].join(" · "));
  return (
    <TableName user={user()} about={about()}>
      <button type="button" class="name-button" onClick={(event) => openUserCard(id, event.currentTarget)}>
        <bdi>{name()}</bdi>
      </button>
    </TableName>
  );
}

function Role(props: { id: number }) {
  return <>{live([`users:${props.id}`, "generation"], () => roleName(userOf(props.id)?.role))()}</>;
}

function Address(props: { id: number }) {
  return <bdi>{live([`users:${props.id}`, "generation"], () => addressOf(props.id))()}</bdi>;
}

function LastActive(props: { id: number }) {
  const isThere = live([`presences:${props.id}`, "generation"], () => {
    return state.model.presences.statusOf(props.id) === "active";
  });
  const time = live([`presences:${props.id}`, "generation"], () => activeAt(props.id));
  return (
    <Show when={!isThere()} fallback={t("presence.active")}>
      <Time of={time} />
    </Show>
  );
}

function Time(props: { of: Accessor<number> }) {
  return (
    <Show when={props.of() > 0} fallback={<span title={t("users.unknownTime")}>–</span>}>
      <time title={fullTime(props.of())}>{listTime(props.of())}</time>
    </Show>
  );
}

function Actions(props: { id: number }) {
  const name = live([`users:${props.id}`, "generation"], () => nameOf(props.id));
  const label = () => t("users.actions", { name: name() });
  return (
    <RowButton icon="more" label={label()} run={(button) => openMenu(label(), button, menuOf(props.id))} />
  );
}
