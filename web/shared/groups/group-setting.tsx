/** Who has a permission: a group, or people and groups together. */
import { createUniqueId, Show } from "solid-js";
import {
  allowedGroups,
  isSameValue,
  namedBy,
  nobodyOf,
  type PermissionKind,
  permissionRules,
  valueNaming,
  type WireGroupValue,
  writeValue,
} from "../../../client/group-values.ts";
import type { GroupSetting as Value } from "../../../client/model/wire.ts";
import { language, t } from "../../i18n/t.ts";
import { createEdit, EditEnd } from "../../ui/edit.tsx";
import { Select } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { groupName } from "./group-name.ts";
import { PickField } from "./pick-field.tsx";
import { findPicked, type Picked, pickedName } from "./picked.ts";

interface ValueProps {
  kind: PermissionKind;
  /** As the API calls the permission: `can_send_message_group`. */
  name: string;
  label: string;
  hint?: string | undefined;
  value: Value;
  problem?: string | undefined;
}

interface SettingProps extends Omit<ValueProps, "problem"> {
  /** The viewer may not change it: it is shown in words. */
  disabled?: boolean | undefined;
  /** Makes the call. The API compares `old` with what is there now. */
  save(change: { new: WireGroupValue; old: WireGroupValue }): Promise<unknown>;
}

/** A permission that is saved by itself. What another person saves meanwhile makes the save fail. */
export function GroupSetting(props: SettingProps) {
  const edit = createEdit<Value>({
    read: () => props.value,
    isSame: isSameValue,
    save: (value, base) => state.track(() => props.save({ new: writeValue(value), old: writeValue(base) })),
  });
  const rules = () => permissionRules(state.model, props.kind, props.name);
  const mustName = () => isNobody(edit.value()) && !rules().allow_nobody_group;
  return (
    <Show
      when={!props.disabled}
      fallback={<ValueInWords label={props.label} hint={props.hint} value={props.value} />}
    >
      <div class="saved-field">
        <GroupValue
          {...props}
          value={edit.value()}
          problem={edit.problem() ?? (mustName() ? t("permission.mustName") : undefined)}
          onChange={(value) => (rules().require_system_group ? void edit.saveNow(value) : edit.change(value))}
        />
        <EditEnd edit={edit} label={props.label} disabled={mustName()} />
      </div>
    </Show>
  );
}

/** A permission in a form that is sent as a whole. */
export function GroupValue(props: ValueProps & { onChange(value: Value): void }) {
  const rules = () => permissionRules(state.model, props.kind, props.name);
  const allowed = live(["groups", "generation"], () =>
    allowedGroups(state.model, rules()).map(({ id }) => id),
  );
  const find = (text: string) =>
    findPicked(text, { groupIds: allowed().filter((id) => text !== "" || isSystem(id)) });
  return (
    <Show
      when={rules().require_system_group}
      fallback={
        <PickField
          label={props.label}
          hint={props.hint}
          problem={props.problem}
          placeholder={t("permission.nobody")}
          chosen={picked(props.value)}
          find={find}
          onChange={(chosen) => props.onChange(valueNamed(chosen))}
        />
      }
    >
      <Select
        label={props.label}
        hint={props.hint}
        problem={props.problem}
        value={String(props.value)}
        options={allowed().map((id) => ({ value: String(id), label: groupName(id) }))}
        onChange={(id) => props.onChange(Number(id))}
      />
    </Show>
  );
}

function ValueInWords(props: { label: string; hint: string | undefined; value: Value }) {
  const id = createUniqueId();
  const words = live(["users", "groups", "generation"], () => {
    const names = picked(props.value).map(pickedName);
    return names.length > 0 ? new Intl.ListFormat(language()).format(names) : t("group.nobody");
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no field, and has a name like one.
    <div class="field" role="group" aria-labelledby={id}>
      <p class="field-label" id={id}>
        {props.label}
      </p>
      <p class="in-words" dir="auto">
        {words()}
      </p>
      <Show when={props.hint}>
        <p class="hint">{props.hint}</p>
      </Show>
    </div>
  );
}

function picked(value: Value): Picked[] {
  const { userIds, groupIds } = namedBy(state.model, value);
  return [
    ...groupIds.map((id) => ({ kind: "group" as const, id })),
    ...userIds.map((id) => ({ kind: "person" as const, id })),
  ];
}

/** The choice of the group of nobody means that nobody else is left. */
function valueNamed(chosen: readonly Picked[]): Value {
  const nobody = nobodyOf(state.model);
  if (chosen.some(({ kind, id }) => kind === "group" && id === nobody)) return nobody;
  const ids = (wanted: Picked["kind"]) => chosen.flatMap(({ kind, id }) => (kind === wanted ? [id] : []));
  return valueNaming(state.model, { userIds: ids("person"), groupIds: ids("group") });
}

function isNobody(value: Value): boolean {
  return picked(value).length === 0;
}

function isSystem(groupId: number): boolean {
  return state.model.groups.byId.get(groupId)?.isSystem ?? false;
}
