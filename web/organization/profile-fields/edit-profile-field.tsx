import { createSignal, Show } from "solid-js";
import { MAX_PROFILE_FIELD_HINT_LENGTH, MAX_PROFILE_FIELD_NAME_LENGTH } from "../../../api/limits.ts";
import { type ProfileFieldType, profileFieldTypes } from "../../../api/profiles/profile-field-types.ts";
import { createProfileField, updateProfileField } from "../../../api/profiles/profile-fields.ts";
import type { ProfileField } from "../../../client/model/profile-fields.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { Select, TextField, Toggle } from "../../ui/fields.tsx";
import { call } from "../calls.ts";
import { SettingsDialog } from "../controls/settings-dialog.tsx";
import { OptionsEditor } from "./options-editor.tsx";
import {
  CUSTOM,
  canBeInSummary,
  mergeOptions,
  optionsIn,
  serviceIn,
  writeOptions,
  writeService,
} from "./profile-field-data.ts";
import { typeOptions } from "./profile-field-type.ts";

const { SELECT, EXTERNAL_ACCOUNT, SHORT_TEXT } = profileFieldTypes;

/** Without an id, a new field. The type of a field that is there stays. */
export function EditProfileField(props: { id: number | undefined; onClose(): void }) {
  const known = props.id === undefined ? undefined : state.model.profileFields.byId.get(props.id);
  const [type, setType] = createSignal<ProfileFieldType>(known?.type ?? SHORT_TEXT.id);
  const [name, setName] = createSignal(known?.name ?? "");
  const [hint, setHint] = createSignal(known?.hint ?? "");
  const before = {
    options: known?.type === SELECT.id ? optionsIn(known.fieldData) : [],
    service: serviceIn(known?.type === EXTERNAL_ACCOUNT.id ? known.fieldData : ""),
  };
  const [options, setOptions] = createSignal(before.options);
  const [service, setService] = createSignal(before.service);
  const [isInSummary, setInSummary] = createSignal(known?.isInSummary ?? false);
  const [isRequired, setRequired] = createSignal(known?.isRequired ?? false);
  const [isEditable, setEditable] = createSignal(known?.isEditableByUser ?? true);
  const add = () =>
    call(createProfileField, {
      ...{ field_type: type(), name: name(), hint: hint() },
      ...{ required: isRequired(), editable_by_user: isEditable() },
      display_in_profile_summary: isInSummary() && canBeInSummary(type()),
      ...(type() === SELECT.id && { field_data: writeOptions(options()) }),
      ...(type() === EXTERNAL_ACCOUNT.id && { field_data: writeService(service()) }),
    });
  /** Only what was changed here. Another administrator may have changed the rest meanwhile. */
  const update = async ({ id, ...old }: ProfileField) => {
    const now = optionsIn(
      old.type === SELECT.id ? (state.model.profileFields.byId.get(id)?.fieldData ?? "") : "",
    );
    const merged = mergeOptions(before.options, options(), now);
    const changes = {
      ...(name() !== old.name && { name: name() }),
      ...(hint() !== old.hint && { hint: hint() }),
      ...(isRequired() !== old.isRequired && { required: isRequired() }),
      ...(isEditable() !== old.isEditableByUser && { editable_by_user: isEditable() }),
      ...(isInSummary() !== old.isInSummary && { display_in_profile_summary: isInSummary() }),
      ...(options() !== before.options && { field_data: writeOptions(merged, [...before.options, ...now]) }),
      ...(service() !== before.service && { field_data: writeService(service()) }),
    };
    if (Object.keys(changes).length > 0) await call(updateProfileField, { field_id: id, ...changes });
  };
  return (
    <SettingsDialog
      title={known ? t("organization.edit", { name: known.name }) : t("profileFields.add")}
      save={() => (known ? update(known) : add())}
      onClose={props.onClose}
    >
      <Select
        label={t("profileFields.type")}
        value={String(type())}
        options={typeOptions()}
        disabled={known !== undefined}
        onChange={(value) => setType(Number(value) as ProfileFieldType)}
      />
      <Show when={type() === EXTERNAL_ACCOUNT.id}>
        <ServiceFields service={service()} onChange={setService} />
      </Show>
      <TextField
        label={t("profileFields.name")}
        value={name()}
        maxLength={MAX_PROFILE_FIELD_NAME_LENGTH}
        required={type() !== EXTERNAL_ACCOUNT.id || service().subtype === CUSTOM}
        onInput={setName}
      />
      <TextField
        label={t("profileFields.hint")}
        value={hint()}
        maxLength={MAX_PROFILE_FIELD_HINT_LENGTH}
        onInput={setHint}
      />
      <Show when={type() === SELECT.id}>
        <OptionsEditor options={options()} onChange={setOptions} />
      </Show>
      <Show when={canBeInSummary(type())}>
        <Toggle label={t("profileFields.showInSummary")} checked={isInSummary()} onChange={setInSummary} />
      </Show>
      <Toggle label={t("profileFields.askFor")} checked={isRequired()} onChange={setRequired} />
      <Toggle label={t("profileFields.editable")} checked={isEditable()} onChange={setEditable} />
    </SettingsDialog>
  );
}

type Service = ReturnType<typeof serviceIn>;

/** One of the services that the server knows, or another one. */
function ServiceFields(props: { service: Service; onChange(service: Service): void }) {
  const known = state.model.organization.get({
    name: "default_external_accounts",
    default: {} as Record<string, { text: string }>,
  });
  const choices = [
    ...Object.entries(known).map(([value, { text }]) => ({ value, label: text })),
    { value: CUSTOM, label: t("profileFields.otherService") },
  ];
  return (
    <>
      <Select
        label={t("profileFields.service")}
        value={props.service.subtype}
        options={choices}
        onChange={(subtype) => props.onChange({ ...props.service, subtype })}
      />
      <Show when={props.service.subtype === CUSTOM}>
        <TextField
          label={t("profileFields.address")}
          hint={t("profileFields.addressHint", { example: "https://example.com/%(username)s" })}
          value={props.service.urlPattern}
          required
          onInput={(urlPattern) => props.onChange({ ...props.service, urlPattern })}
        />
      </Show>
    </>
  );
}
