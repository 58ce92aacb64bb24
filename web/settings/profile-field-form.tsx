import { Match, Switch } from "solid-js";
import { profileFieldTypes } from "../../api/profile-field-types.ts";
import type { ProfileField } from "../../client/model/profile-fields.ts";
import { nameOf } from "../app/text/names.ts";
import { t } from "../i18n/t.ts";
import { Select } from "../ui/fields.tsx";
import { createSaving } from "../ui/saving.tsx";
import { Marked } from "./own-setting.tsx";
import { PeopleValue } from "./people-value.tsx";
import { optionsOf, peopleOf } from "./profile-values.ts";
import { saveProfileValue } from "./save-profile-value.ts";
import { TextForm } from "./text-form.tsx";
import { viewerSignal } from "./viewer.ts";

const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL, USER, EXTERNAL_ACCOUNT, PRONOUNS } = profileFieldTypes;

/** The longest values by the kind of field, as the server has it. */
const lengths: Readonly<Record<number, number>> = {
  [SHORT_TEXT.id]: 50,
  [LONG_TEXT.id]: 500,
  [URL.id]: 1000,
  [EXTERNAL_ACCOUNT.id]: 50,
  [PRONOUNS.id]: 50,
};

/** One's own value of a field that the organization has added. */
export function ProfileFieldForm(props: { field: ProfileField }) {
  const { field } = props;
  const viewer = viewerSignal();
  const value = () => viewer()?.profileData?.[field.id]?.value ?? "";
  const hint = () => (field.isEditableByUser ? field.hint || undefined : t("own.profile.fieldLocked"));
  const label = () => (field.isRequired ? t("own.profile.required", { name: field.name }) : field.name);
  return (
    <Switch
      fallback={
        <TextForm
          label={label()}
          hint={hint()}
          value={field.type === USER.id ? peopleOf(value()).map(nameOf).join(", ") : value()}
          type={field.type === DATE.id ? "date" : field.type === URL.id ? "url" : "text"}
          isLong={field.type === LONG_TEXT.id}
          disabled={!field.isEditableByUser}
          {...(lengths[field.type] !== undefined && { maxLength: lengths[field.type] })}
          save={(text) => saveProfileValue(field.id, text)}
        />
      }
    >
      <Match when={field.type === SELECT.id}>
        <OptionValue field={field} label={label()} hint={hint()} value={value()} />
      </Match>
      <Match when={field.type === USER.id && field.isEditableByUser}>
        <PeopleValue field={field} label={label()} hint={hint()} value={value()} />
      </Match>
    </Switch>
  );
}

interface ValueProps {
  field: ProfileField;
  label: string;
  hint: string | undefined;
  value: string;
}

function OptionValue(props: ValueProps) {
  const saving = createSaving();
  const options = () => [{ value: "", label: t("own.profile.nothing") }, ...optionsOf(props.field.fieldData)];
  return (
    <Marked saving={saving}>
      <Select
        label={props.label}
        hint={props.hint}
        disabled={!props.field.isEditableByUser}
        problem={saving.problem()}
        value={props.value}
        options={options()}
        onChange={(key) => void saving.run(() => saveProfileValue(props.field.id, key))}
      />
    </Marked>
  );
}
