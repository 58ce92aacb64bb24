/** The bots that the viewer manages: the own ones, and for administrators all. */
import { Show } from "solid-js";
import { deactivateBot } from "../../../api/integrations/bots.ts";
import { reactivateUser } from "../../../api/people/deactivate-users.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import { live } from "../../ui/live.ts";
import type { MenuItem } from "../../ui/menu.tsx";
import { openMenu } from "../../ui/menus.tsx";
import { openOverlay } from "../../ui/overlay.ts";
import { call, permissionSignal } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { AddButton, RowButton, RowText } from "../controls/rows.tsx";
import { BotKey } from "./bot-key.tsx";
import { botTypeName } from "./bot-type-name.ts";
import { CreateBot } from "./create-bot.tsx";
import { EditBot } from "./edit-bot.tsx";

const sources = ["bots", "users", "generation"];

export function Bots() {
  const mayCreate = permissionSignal("can_create_bots_group");
  const mayCreateSenders = permissionSignal("can_create_write_only_bots_group");
  const ids = live(sources, () =>
    [...state.model.bots.byId.values()]
      .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.fullName.localeCompare(b.fullName))
      .map(({ id }) => id),
  );
  return (
    <>
      <p class="about">{t("bots.about")}</p>
      <Show when={mayCreate() || mayCreateSenders()}>
        <AddButton
          label={t("bots.add")}
          run={() => openOverlay((close) => <CreateBot isForSending={!mayCreate()} onClose={close} />)}
        />
      </Show>
      <FilteredList
        label={t("bots.title")}
        items={ids()}
        textOf={(id) => `${nameOf(id)} ${state.model.bots.byId.get(id)?.email ?? ""}`}
        draw={(id) => <BotRow id={id} />}
        empty={t("bots.none")}
        height={480}
      />
    </>
  );
}

function BotRow(props: { id: number }) {
  const { id } = props;
  const bot = live(sources, () => state.model.bots.byId.get(id));
  const about = () => {
    const one = bot();
    if (!one) return "";
    const owner = one.ownerId === null ? t("bots.noOwner") : t("bots.owner", { name: nameOf(one.ownerId) });
    return [one.isActive ? "" : t("user.deactivated"), botTypeName(one.botType), owner, one.email]
      .filter((part) => part !== "")
      .join(" · ");
  };
  const user = live([`users:${id}`, "generation"], () => state.model.users.get(id));
  const label = () => t("users.actions", { name: bot()?.fullName ?? "" });
  return (
    <>
      <Avatar user={user()} />
      <RowText name={<bdi>{bot()?.fullName}</bdi>} about={about()} />
      <RowButton icon="more" label={label()} run={(button) => openMenu(label(), button, itemsFor(id))} />
    </>
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
