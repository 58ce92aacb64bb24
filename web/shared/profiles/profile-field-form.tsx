import { Match, Switch } from "solid-js";
import {
  MAX_PROFILE_LONG_TEXT_LENGTH,
  MAX_PROFILE_SHORT_TEXT_LENGTH,
  MAX_PROFILE_URL_LENGTH,
} from "../../../api/limits.ts";
import { profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import type { ProfileField } from "../../../client/model/profile-fields.ts";
import { t } from "../../i18n/t.ts";
import { Select } from "../../ui/fields.tsx";
import { Marked } from "../../ui/saved-mark.tsx";
import { createSaving } from "../../ui/saving.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { nameOf } from "../text/names.ts";
import { PeopleValue } from "./people-value.tsx";
import { optionsOf, peopleOf } from "./profile-values.ts";

const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL, USER, EXTERNAL_ACCOUNT, PRONOUNS } = profileFieldTypes;

/** The longest values by the kind of field. */
const lengths: Readonly<Record<number, number>> = {
  [SHORT_TEXT.id]: MAX_PROFILE_SHORT_TEXT_LENGTH,
  [LONG_TEXT.id]: MAX_PROFILE_LONG_TEXT_LENGTH,
  [URL.id]: MAX_PROFILE_URL_LENGTH,
  [EXTERNAL_ACCOUNT.id]: MAX_PROFILE_SHORT_TEXT_LENGTH,
  [PRONOUNS.id]: MAX_PROFILE_SHORT_TEXT_LENGTH,
};

interface FormProps {
  field: ProfileField;
  /** As it is saved. */
  value: string;
  /** Why it can't be changed; undefined: it can. */
  reason: string | undefined;
  /** An empty value takes away what was there. */
  save(value: string | readonly number[]): Promise<unknown>;
}

/** Somebody's value of a field that the organization has added. */
export function ProfileFieldForm(props: FormProps) {
  const type = () => props.field.type;
  const common = () => ({
    label: props.field.isRequired ? t("own.profile.required", { name: props.field.name }) : props.field.name,
    hint: props.reason ?? (props.field.hint || undefined),
    value: props.value,
    disabled: props.reason !== undefined,
  });
  return (
    <Switch
      fallback={
        <TextForm
          {...common()}
          value={type() === USER.id ? peopleOf(props.value).map(nameOf).join(", ") : props.value}
          type={type() === DATE.id ? "date" : type() === URL.id ? "url" : "text"}
          isLong={type() === LONG_TEXT.id}
          {...(lengths[type()] !== undefined && { maxLength: lengths[type()] })}
          save={(text) => props.save(text)}
        />
      }
    >
      <Match when={type() === SELECT.id}>
        <OptionValue {...common()} fieldData={props.field.fieldData} save={(key) => props.save(key)} />
      </Match>
      <Match when={type() === USER.id && props.reason === undefined}>
        <PeopleValue {...common()} save={(value) => props.save(value)} />
      </Match>
    </Switch>
  );
}

interface OptionProps {
  label: string;
  hint: string | undefined;
  value: string;
  disabled: boolean;
  fieldData: string;
  save(key: string): Promise<unknown>;
}

function OptionValue(props: OptionProps) {
  const saving = createSaving();
  const options = () => [{ value: "", label: t("own.profile.nothing") }, ...optionsOf(props.fieldData)];
  return (
    <Marked saving={saving}>
      <Select
        label={props.label}
        hint={props.hint}
        disabled={props.disabled}
        problem={saving.problem()}
        value={props.value}
        options={options()}
        onChange={(key) => void saving.run(() => props.save(key))}
      />
    </Marked>
  );
}
