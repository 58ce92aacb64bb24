import { createMemo, createSignal, For, onMount } from "solid-js";
import { best } from "../../client/autocomplete/rank.ts";
import { t } from "../i18n/t.ts";
import { composeTo, focusCompose } from "../shared/compose/compose-target.ts";
import { state } from "../shared/state/state.ts";
import { nameOf } from "../shared/text/names.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Icon } from "../ui/icon.tsx";
import { isComposing } from "../ui/is-composing.ts";
import { createListbox } from "../ui/listbox.ts";
import { Options } from "../ui/options.tsx";

const MAX_SHOWN = 8;

/** The people of a new direct message: one chip each, and a field that finds more. */
export function PeopleField(props: { userIds: readonly number[] }) {
  let field: HTMLInputElement | undefined;
  const [text, setText] = createSignal("");
  const found = createMemo(() => (text().trim() === "" ? [] : findPeople(text(), props.userIds)));
  const change = (userIds: readonly number[]) => {
    composeTo({ kind: "direct", userIds });
    setText("");
    list.setAt(0);
    field?.focus();
  };
  const list = createListbox({ items: found, onChoose: (id) => change([...props.userIds, id]) });
  onMount(() => field?.focus());

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event) || list.handleKey(event)) return;
    if (event.key === "Enter" && props.userIds.length > 0) focusCompose();
    else if (event.key === "Backspace" && text() === "") change(props.userIds.slice(0, -1));
    else if (event.key === "Escape" && found().length > 0) setText("");
    else if (event.key === "Escape") composeTo(undefined);
    else if (event.key !== "Enter") return;
    event.preventDefault();
  }

  return (
    <>
      <span class="to">{t("compose.to")}</span>
      <For each={props.userIds}>
        {(id) => (
          <span class="chip">
            <bdi>{nameOf(id)}</bdi>
            <button
              type="button"
              aria-label={t("people.remove", { name: nameOf(id) })}
              onClick={() => change(props.userIds.filter((other) => other !== id))}
            >
              <Icon name="close" />
            </button>
          </span>
        )}
      </For>
      <input
        ref={(element) => {
          field = element;
          list.attach(element);
        }}
        aria-label={t("people.add")}
        placeholder={t("people.add")}
        autocomplete="off"
        dir="auto"
        value={text()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          list.setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options list={list} class="completions" label={t("people.add")}>
        {(id) => (
          <>
            <span class="completion-sign" aria-hidden="true">
              <Avatar user={state.model.users.get(id)} />
            </span>
            <bdi>{nameOf(id)}</bdi>
          </>
        )}
      </Options>
    </>
  );
}

/** Those with whom the viewer talked lately come first. Muted people are not proposed. */
function findPeople(text: string, chosen: readonly number[]): number[] {
  const { users, mutedUsers, conversations } = state.model;
  const recent = conversations.newestFirst().flatMap(({ userIds }) => userIds);
  const order = new Map([...recent].reverse().map((id, place) => [id, recent.length - place]));
  const ranked = [...users.byId.values()]
    .filter(({ id, isActive }) => isActive && !mutedUsers.has(id) && !chosen.includes(id))
    .map(({ id, fullName }) => ({ item: id, name: fullName, order: order.get(id) ?? recent.length + 1 }));
  return best(ranked, text, MAX_SHOWN);
}
