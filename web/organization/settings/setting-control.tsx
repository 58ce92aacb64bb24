import { type JSX, Show } from "solid-js";
import { updateOrganization } from "../../../api/administration/organization.ts";
import { t } from "../../i18n/t.ts";
import { state } from "../../shared/state/state.ts";
import { Select, Toggle } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { createSaving } from "../../ui/saving.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { call, isAdministrator, isOwner, settingSignal } from "../calls.ts";
import { durationName } from "../controls/durations.ts";
import { SavedNote } from "../controls/saved-note.tsx";
import type { ControlProps } from "./control-props.ts";
import { PermissionSetting } from "./permission-setting.tsx";
import {
  type ChannelChoiceName,
  type ChoiceName,
  channelChoices,
  choices,
  dependsOn,
  forbidding,
  limits,
  numbers,
  ownersOnly,
  permissions,
  type SettingName,
  texts,
  timeLimits,
  toggles,
} from "./setting-list.ts";
import { NumberSetting, PlainTextSetting } from "./written-settings.tsx";

const isOneOf = <T extends string>(list: readonly T[], name: string): name is T =>
  (list as readonly string[]).includes(name);

/** The control of a setting of the organization. People who may not change it see its value. */
export function SettingControl(props: { name: SettingName }): JSX.Element {
  const { name } = props;
  const needed = dependsOn[name];
  const shown = needed ? settingSignal<unknown>(needed[0], undefined) : () => undefined;
  const isForOwners = ownersOnly.has(name);
  const isAdmin = isAdministrator();
  const may = isForOwners ? isOwner() : isAdmin;
  /** For administrators; others see one note above all. */
  const reason = () => (isForOwners && isAdmin() && !may() ? t("organization.ownersOnly") : undefined);
  const draw = () => {
    if (isOneOf(toggles, name)) return <ToggleSetting name={name} disabled={!may()} reason={reason()} />;
    if (isOneOf(permissions, name))
      return <PermissionSetting name={name} disabled={!may()} reason={reason()} />;
    if (isOneOf(texts, name)) return <PlainTextSetting name={name} disabled={!may()} reason={reason()} />;
    if (isOneOf(numbers, name)) return <NumberSetting name={name} disabled={!may()} reason={reason()} />;
    return <ChoiceSetting name={name} disabled={!may()} reason={reason()} />;
  };
  return <Show when={!needed || shown() === needed[1]}>{draw()}</Show>;
}

/** Saves at once. */
function createChange<T extends Plain | boolean>(name: SettingName, fallback: T) {
  const saving = createSaving();
  const wanted = createWanted(settingSignal<T>(name, fallback));
  return {
    saving,
    value: wanted.value,
    change: (value: T, inRequest: Plain | boolean = value) =>
      wanted.change(value, () => saving.run(() => call(updateOrganization, { [name]: inRequest }))),
  };
}

function ToggleSetting(props: ControlProps<(typeof toggles)[number]>) {
  const { saving, value, change } = createChange<boolean>(props.name, false);
  const turned = (one: boolean) => (forbidding.has(props.name) ? !one : one);
  return (
    <div class="setting">
      <Toggle
        label={t(`organization.setting.${props.name}`)}
        checked={turned(value())}
        disabled={props.disabled}
        hint={props.reason}
        problem={saving.problem()}
        onChange={(checked) => void change(turned(checked))}
      />
      <SavedNote saving={saving} />
    </div>
  );
}

type Plain = string | number | null;

function ChoiceSetting(props: ControlProps<ChoiceName | ChannelChoiceName | (typeof limits)[number]>) {
  const { name } = props;
  const { saving, value, change } = createChange<Plain>(name, null);
  const channels = live(["channels", "generation"], () => channelOptions(name, Number(value())));
  const options = () => {
    if (isOneOf(channelChoices, name)) return channels();
    return isOneOf(limits, name) ? limitOptions(value()) : namedOptions(name);
  };
  // A value of null is `unlimited` in a request.
  const choose = (text: string) => {
    const option = options().find((one) => one.value === text);
    if (option) void change(option.stored, option.stored ?? "unlimited");
  };
  return (
    <div class="setting">
      <Select
        label={t(`organization.setting.${name}`)}
        value={String(value())}
        options={options()}
        disabled={props.disabled}
        hint={props.reason}
        problem={saving.problem()}
        onChange={choose}
      />
      <SavedNote saving={saving} />
    </div>
  );
}

interface Option {
  /** In the control. */
  value: string;
  stored: Plain;
  label: string;
}

function namedOptions(name: ChoiceName): Option[] {
  return choices[name].map((stored) => {
    const key = `organization.choice.${name}.${stored}` as Parameters<typeof t>[0];
    return { value: String(stored), stored, label: t(key) };
  });
}

/** The value that was set elsewhere is one of them. */
function limitOptions(current: Plain): Option[] {
  const known: readonly Plain[] = timeLimits;
  const all = known.includes(current) ? timeLimits : [Number(current), ...timeLimits];
  return all.map((stored) => ({
    value: String(stored),
    stored,
    label: stored === null ? t("organization.noLimit") : durationName(stored),
  }));
}

/** The value may be a channel that the viewer doesn't see. */
function channelOptions(name: string, current: number): Option[] {
  const wantsPrivate = name === "moderation_request_channel_id";
  const found = [...state.model.channels.byId.values()]
    .filter((channel) => !channel.isArchived && (!wantsPrivate || channel.isPrivate))
    .sort((a, b) => a.name.localeCompare(b.name))
    .map(({ id, name: label }) => ({ value: String(id), stored: id, label: `#${label}` }));
  const none = { value: "-1", stored: -1, label: t("organization.noChannel") };
  const hidden = { value: String(current), stored: current, label: t("channel.unknown") };
  const isHidden = current !== -1 && !found.some(({ stored }) => stored === current);
  return [none, ...(isHidden ? [hidden] : []), ...found];
}
