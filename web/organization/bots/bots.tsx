/** The bots that the viewer manages: the own ones, and for administrators all. */
import { createMemo, Show } from "solid-js";
import { deactivateBot } from "../../../api/integrations/bots.ts";
import { reactivateUser } from "../../../api/people/deactivate-users.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { live } from "../../ui/live.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { openOverlay } from "../../ui/overlay.ts";
import { call, permissionSignal } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { AddButton, RowButton, TableName } from "../controls/rows.tsx";
import { BotKey } from "./bot-key.tsx";
import { botTypeName } from "./bot-type-name.ts";
import { CreateBot } from "./create-bot.tsx";
import { EditBot } from "./edit-bot.tsx";

const sources = ["bots", "users", "generation"];

export function Bots() {
  const mayCreate = permissionSignal("can_create_bots_group");
  const mayCreateSenders = permissionSignal("can_create_write_only_bots_group");
  const ids = live(sources, () => [...state.model.bots.byId.keys()]);
  const columns = createMemo(columnsOf);
  return (
    <>
      <p class="about">{t("bots.about")}</p>
      <Show when={mayCreate() || mayCreateSenders()}>
        <AddButton
          label={t("bots.add")}
          run={() => openOverlay((close) => <CreateBot isForSending={!mayCreate()} onClose={close} />)}
        />
      </Show>
      <DataTable
        label={t("bots.title")}
        rows={ids()}
        by={(id) => id}
        textOf={(id) => `${nameOf(id)} ${botOf(id)?.email ?? ""}`}
        columns={columns()}
        actions={(id) => <Actions id={id()} />}
        empty={t("bots.none")}
      />
    </>
  );
}

const botOf = (id: number) => state.model.bots.byId.get(id);
const typeOf = (id: number) => botTypeName(botOf(id)?.botType ?? 0);

function ownerOf(id: number): string {
  const ownerId = botOf(id)?.ownerId;
  return typeof ownerId === "number" ? nameOf(ownerId) : t("bots.noOwner");
}

/** Those that work are first. */
const columnsOf = (): Column<number>[] => [
  {
    ...{ id: "name", label: t("users.name") },
    compare: (a, b) =>
      Number(botOf(b)?.isActive) - Number(botOf(a)?.isActive) || nameOf(a).localeCompare(nameOf(b)),
    draw: (id) => <Bot id={id()} />,
  },
  {
    ...{ id: "type", label: t("bots.type") },
    compare: (a, b) => typeOf(a).localeCompare(typeOf(b)),
    draw: (id) => <Fact of={() => typeOf(id())} />,
  },
  {
    ...{ id: "owner", label: t("bots.ownerField") },
    compare: (a, b) => ownerOf(a).localeCompare(ownerOf(b)),
    draw: (id) => <Fact of={() => ownerOf(id())} />,
  },
  {
    ...{ id: "email", label: t("users.email") },
    draw: (id) => <Fact of={() => botOf(id())?.email ?? ""} />,
  },
];

function Fact(props: { of(): string }) {
  return <bdi>{live(sources, () => props.of())()}</bdi>;
}

function Bot(props: { id: number }) {
  const { id } = props;
  const bot = live(sources, () => botOf(id));
  const about = live(sources, () => [typeOf(id), ownerOf(id)].join(" · "));
  const user = live([`users:${id}`, "generation"], () => state.model.users.get(id));
  return (
    <TableName user={user()} about={about()}>
      <bdi>{bot()?.fullName}</bdi>
      <Show when={bot()?.isActive === false}> · {t("user.deactivated")}</Show>
    </TableName>
  );
}

function Actions(props: { id: number }) {
  const label = live(sources, () => t("users.actions", { name: botOf(props.id)?.fullName ?? "" }));
  return (
    <RowButton icon="more" label={label()} run={(button) => openMenu(label(), button, itemsFor(props.id))} />
  );
}

function itemsFor(id: number): MenuItem[] {
  const bot = state.model.bots.byId.get(id);
  if (!bot) return [];
  if (!bot.isActive) {
    const question = {
      title: t("bots.reactivateTitle", { name: bot.fullName }),
      text: t("bots.reactivateText"),
      action: t("users.reactivate"),
      run: () => call(reactivateUser, { user_id: id }),
    };
    return [{ icon: "check", label: t("users.reactivate"), run: () => ask(question) }];
  }
  const question = {
    title: t("users.deactivateTitle", { name: bot.fullName }),
    text: t("bots.deactivateText"),
    action: t("users.deactivate"),
    run: () => call(deactivateBot, { bot_id: id }),
  };
  return [
    {
      ...{ icon: "pencil", label: t("users.edit") },
      run: () => openOverlay((close) => <EditBot id={id} onClose={close} />),
    },
    {
      ...{ icon: "lock", label: t("bots.key") },
      run: () => openOverlay((close) => <BotKey id={id} onClose={close} />),
    },
    { icon: "close", label: t("users.deactivate"), isDangerous: true, run: () => ask(question) },
  ];
}
