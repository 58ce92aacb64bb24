import { createEffect, createSignal, For, Show } from "solid-js";
import { createChannelFolder, reorderChannelFolders } from "../../api/channels/channel-folders.ts";
import { MAX_FOLDER_NAME_LENGTH } from "../../api/limits.ts";
import { isAdministrator } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { createOrder } from "../ui/order.ts";
import { Problem } from "../ui/problem.tsx";
import { isSameList } from "../ui/same-list.ts";
import { createSaving, SavingNote } from "../ui/saving.tsx";
import { FolderRow } from "./folder-row.tsx";

/** The folders that the organization sorts its channels into, in their order. Administrators change them. */
export function Folders() {
  const mayChange = live(["users", "generation"], () => isAdministrator(state.model));
  const stored = live(["folders", "generation"], () => idsOf({ isArchived: false }), isSameList);
  const archived = live(["folders", "generation"], () => idsOf({ isArchived: true }), isSameList);
  const [focused, setFocused] = createSignal("");
  const saving = createSaving();
  const save = (ids: readonly number[]) => {
    const parameters = { order: [...ids, ...archived()] };
    return saving.run(() => state.track(() => state.connection.call(reorderChannelFolders, parameters)));
  };
  const order = createOrder(stored, save);
  const active = order.ids;
  // A row that moves loses the focus.
  createEffect(() => {
    active();
    const id = focused();
    if (id !== "") queueMicrotask(() => document.getElementById(id)?.focus());
  });
  const move = (id: number, step: -1 | 1) => {
    setFocused(`folder-${id}-${step < 0 ? "up" : "down"}`);
    void order.move(id, step);
  };
  return (
    <>
      <p class="hint">{t("folders.about")}</p>
      <Problem text={saving.problem()} />
      <Show when={active().length > 0} fallback={<p class="nothing">{t("folders.none")}</p>}>
        <ul class="rows" aria-label={t("channels.folders")}>
          <For each={active()}>
            {(id, index) => (
              <FolderRow
                folderId={id}
                mayChange={mayChange()}
                isFirst={index() === 0}
                isLast={index() === active().length - 1}
                onMove={(step) => move(id, step)}
              />
            )}
          </For>
        </ul>
      </Show>
      <Show when={mayChange()}>
        <NewFolder />
        <Show when={archived().length > 0}>
          <h3>{t("folders.archived")}</h3>
          <ul class="rows" aria-label={t("folders.archived")}>
            <For each={archived()}>{(id) => <FolderRow folderId={id} mayChange isArchived />}</For>
          </ul>
        </Show>
      </Show>
    </>
  );
}

/** In their order. */
function idsOf(wanted: { isArchived: boolean }): number[] {
  return [...state.model.folders.byId.values()]
    .filter(({ isArchived }) => isArchived === wanted.isArchived)
    .sort((a, b) => a.order - b.order)
    .map(({ id }) => id);
}

function NewFolder() {
  const saving = createSaving();
  const [name, setName] = createSignal("");
  const create = async () => {
    const parameters = { name: name().trim() };
    const isCreated = await saving.runOnce(() =>
      state.track(() => state.connection.call(createChannelFolder, parameters)),
    );
    if (isCreated && name().trim() === parameters.name) setName("");
  };
  return (
    <form
      class="one-line"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <TextField
        label={t("folders.new")}
        value={name()}
        maxLength={MAX_FOLDER_NAME_LENGTH}
        onInput={setName}
      />
      <div class="form-end">
        <button type="submit" class="button primary" disabled={name().trim() === ""}>
          {t("folders.create")}
        </button>
        <SavingNote saving={saving} />
      </div>
    </form>
  );
}
