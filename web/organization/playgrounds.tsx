/** Sites that run the code of code blocks. */
import { createSignal } from "solid-js";
import { addPlayground, removePlayground } from "../../api/content/playgrounds.ts";
import {
  MAX_PLAYGROUND_LANGUAGE_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  MAX_URL_TEMPLATE_LENGTH,
} from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { openOverlay } from "../ui/overlay.ts";
import { call, isAdministrator } from "./calls.ts";
import { ask } from "./controls/ask.ts";
import { ItemList, ItemRow } from "./controls/item-list.tsx";
import { SettingsDialog } from "./controls/settings-dialog.tsx";

export function PlaygroundSection() {
  const may = isAdministrator();
  const ids = live(["playgrounds", "generation"], () => state.model.playgrounds.all.map(({ id }) => id));
  const remove = (id: number, name: string) =>
    ask({
      title: t("playgrounds.removeTitle", { name }),
      text: t("playgrounds.removeText"),
      action: t("organization.deleteAction"),
      run: () => call(removePlayground, { playground_id: id }),
    });
  return (
    <ItemList
      about={t("playgrounds.about")}
      title={t("playgrounds.title")}
      none={t("playgrounds.none")}
      addLabel={t("playgrounds.add")}
      add={() => openOverlay((close) => <AddPlayground onClose={close} />)}
      mayChange={may()}
      items={ids()}
      row={(id) => {
        // None is ever changed.
        const {
          name = "",
          language = "",
          urlTemplate,
        } = state.model.playgrounds.all.find((playground) => playground.id === id) ?? {};
        return (
          <ItemRow
            name={name}
            shown={`${name} · ${language}`}
            about={urlTemplate}
            mayChange={may()}
            remove={() => remove(id, name)}
          />
        );
      }}
    />
  );
}

function AddPlayground(props: { onClose(): void }) {
  const [name, setName] = createSignal("");
  const [language, setLanguage] = createSignal("");
  const [template, setTemplate] = createSignal("");
  const save = () =>
    call(addPlayground, { name: name(), pygments_language: language(), url_template: template() });
  return (
    <SettingsDialog title={t("playgrounds.add")} save={save} onClose={props.onClose}>
      <TextField
        label={t("playgrounds.name")}
        value={name()}
        maxLength={MAX_PLAYGROUND_NAME_LENGTH}
        required
        onInput={setName}
      />
      <TextField
        label={t("playgrounds.language")}
        hint={t("playgrounds.languageHint")}
        value={language()}
        maxLength={MAX_PLAYGROUND_LANGUAGE_LENGTH}
        required
        onInput={setLanguage}
      />
      <TextField
        label={t("playgrounds.template")}
        hint={t("playgrounds.templateHint", { example: "https://run.example.com/python?code={code}" })}
        value={template()}
        maxLength={MAX_URL_TEMPLATE_LENGTH}
        required
        onInput={setTemplate}
      />
    </SettingsDialog>
  );
}
