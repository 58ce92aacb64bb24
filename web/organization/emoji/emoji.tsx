/** The organization's own emoji. */
import { createSignal, Show } from "solid-js";
import { addCustomEmoji, deactivateCustomEmoji } from "../../../api/content/emoji.ts";
import { MAX_EMOJI_NAME_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { nameOf } from "../../shared/text/names.ts";
import { TextField } from "../../ui/fields.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import { live } from "../../ui/live.ts";
import { openOverlay } from "../../ui/overlay.ts";
import { call, callWithFile, isAdministrator, permissionSignal } from "../calls.ts";
import { ask } from "../controls/ask.ts";
import { PictureChoice } from "../controls/picture-choice.tsx";
import { AddButton, RowButton, RowText } from "../controls/rows.tsx";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { emojiNameOf } from "./emoji-name.ts";

const sources = ["customEmoji", "generation"];

export function EmojiSection() {
  const mayAdd = permissionSignal("can_add_custom_emoji_group");
  const isAdmin = isAdministrator();
  const ids = live(sources, () =>
    [...state.model.customEmoji.byId.values()]
      .filter(({ isDeactivated }) => !isDeactivated)
      .sort((a, b) => a.name.localeCompare(b.name))
      .map(({ id }) => id),
  );
  return (
    <>
      <p class="about">{t("customEmoji.about")}</p>
      <Show when={mayAdd()}>
        <AddButton
          label={t("customEmoji.add")}
          run={() => openOverlay((close) => <AddEmoji onClose={close} />)}
        />
      </Show>
      <FilteredList
        label={t("customEmoji.title")}
        items={ids()}
        textOf={(id) => state.model.customEmoji.byId.get(id)?.name ?? ""}
        empty={t("customEmoji.none")}
        draw={(id) => <EmojiRow id={id} isAdmin={isAdmin()} />}
      />
    </>
  );
}

function EmojiRow(props: { id: string; isAdmin: boolean }) {
  const emoji = live(sources, () => state.model.customEmoji.byId.get(props.id));
  const name = () => emoji()?.name ?? "";
  const about = () => {
    const authorId = emoji()?.authorId;
    return authorId === undefined ? "" : t("customEmoji.by", { name: nameOf(authorId) });
  };
  return (
    <>
      <img class="emoji-sample" src={emoji()?.sourceUrl} alt="" width="24" height="24" />
      <RowText name={`:${name()}:`} about={about()} />
      <Show when={props.isAdmin || emoji()?.authorId === state.model.viewer.id}>
        <RowButton
          icon="trash"
          label={t("customEmoji.remove", { name: name() })}
          run={() => askToRemove(name())}
        />
      </Show>
    </>
  );
}

function askToRemove(name: string): void {
  ask({
    title: t("customEmoji.remove", { name: `:${name}:` }),
    text: t("customEmoji.removeText"),
    action: t("customEmoji.removeAction"),
    run: () => call(deactivateCustomEmoji, { emoji_name: name }),
  });
}

function AddEmoji(props: { onClose(): void }) {
  const [name, setName] = createSignal("");
  const [file, setFile] = createSignal<File>();
  const choose = (chosen: File) => {
    setFile(chosen);
    if (name() === "") setName(emojiNameOf(chosen.name));
  };
  const save = async () => {
    const picture = file();
    if (picture) await callWithFile(addCustomEmoji, { emoji_name: name() }, picture);
  };
  return (
    <SettingsDialog
      title={t("customEmoji.add")}
      action={t("customEmoji.addAction")}
      isReady={file() !== undefined && name() !== ""}
      save={save}
      onClose={props.onClose}
    >
      <PictureChoice file={file()} choose={choose} />
      <TextField
        label={t("customEmoji.name")}
        hint={t("customEmoji.nameHint")}
        value={name()}
        maxLength={MAX_EMOJI_NAME_LENGTH}
        required
        onInput={setName}
      />
    </SettingsDialog>
  );
}
