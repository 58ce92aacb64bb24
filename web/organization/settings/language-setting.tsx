import { updateOrganization } from "../../../api/administration/organization.ts";
import { languages } from "../../i18n/language-names.ts";
import { t } from "../../i18n/t.ts";
import { Select } from "../../ui/fields.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { call, settingSignal } from "../calls.ts";
import { SavedNote } from "../controls/saved-note.tsx";

/** The language of new people, and of what the server says in channels. */
export function LanguageSetting(props: { disabled: boolean }) {
  const saving = createSaving();
  const stored = settingSignal("default_language", "en");
  const wanted = createWanted(stored);
  const options = () => {
    const known = languages.map(({ code, name }) => ({ value: code as string, label: name as string }));
    return known.some(({ value }) => value === stored()) ? known : [...known, other(stored())];
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

/** A language without texts here, as the API allows it. */
function other(code: string): { value: string; label: string } {
  const tag = code.replaceAll("_", "-");
  return { value: code, label: new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? code };
}
