import { updateOrganization } from "../../../api/administration/organization.ts";
import { language, t } from "../../i18n/t.ts";
import { Select } from "../../ui/fields.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { call, settingSignal } from "../calls.ts";
import { SavedNote } from "../controls/saved-note.tsx";

/** Those in which there are texts. */
const translated = ["en", "de"];

/** The language of new people, and of what the server says in channels. */
export function LanguageSetting(props: { disabled: boolean }) {
  const saving = createSaving();
  const stored = settingSignal("default_language", "en");
  const wanted = createWanted(stored);
  const options = () => {
    const names = new Intl.DisplayNames(language(), { type: "language" });
    return [...new Set([...translated, stored()])].map((value) => ({
      value,
      label: names.of(value) ?? value,
    }));
  };
  const change = (value: string) =>
    wanted.change(value, () => saving.run(() => call(updateOrganization, { default_language: value })));
  return (
    <div class="setting">
      <Select
        label={t("organization.language")}
        hint={t("organization.language.hint")}
        value={wanted.value()}
        options={options()}
        disabled={props.disabled}
        problem={saving.problem()}
        onChange={(value) => void change(value)}
      />
      <SavedNote saving={saving} />
    </div>
  );
}
