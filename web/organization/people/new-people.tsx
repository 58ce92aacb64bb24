/** The settings with which people who join later start. */
import { For } from "solid-js";
import { updateDefaultUserSettings } from "../../../api/administration/default-user-settings.ts";
import { userSettings } from "../../../api/people/user-settings.ts";
import { t } from "../../i18n/t.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { state } from "../../shared/state/state.ts";
import { Select, Toggle } from "../../ui/fields.tsx";
import { live } from "../../ui/live.ts";
import { createSaving } from "../../ui/saving.tsx";
import { createWanted } from "../../ui/wanted.ts";
import { call, isAdministrator } from "../calls.ts";
import { SavedNote } from "../controls/saved-note.tsx";
import { ReadOnlyNote } from "../settings/setting-section.tsx";

const toggles = [
  userSettings.twentyFourHourTime,
  userSettings.enterSends,
  userSettings.enableDesktopNotifications,
  userSettings.enableSounds,
  userSettings.enableOfflineEmailNotifications,
  userSettings.wildcardMentionsNotify,
  userSettings.presenceEnabled,
  userSettings.sendReadReceipts,
  userSettings.sendPrivateTypingNotifications,
  userSettings.sendStreamTypingNotifications,
] as const;

const choices = [
  { setting: userSettings.emailAddressVisibility, values: [1, 2, 5, 3, 4] },
  { setting: userSettings.automaticallyFollowTopicsPolicy, values: [3, 2, 1, 4] },
  { setting: userSettings.webHomeView, values: ["inbox", "recent_topics", "all_messages"] },
] as const;

export function NewPeople() {
  const may = isAdministrator();
  return (
    <>
      <ReadOnlyNote />
      <p class="about">{t("newPeople.about")}</p>
      <For each={choices}>
        {({ setting, values }) => <Choice setting={setting} values={values} disabled={!may()} />}
      </For>
      <For each={toggles}>{(setting) => <Flag setting={setting} disabled={!may()} />}</For>
    </>
  );
}

type Value = string | number | boolean;

interface Declared<T> {
  name: string;
  default: T;
}

function createChange<T extends Value>(setting: Declared<T>) {
  const saving = createSaving();
  const wanted = createWanted(
    live(["settings", "generation"], () => state.model.settings.getDefault(setting)),
  );
  return {
    saving,
    value: wanted.value,
    change: (value: T) =>
      wanted.change(value, () =>
        saving.run(() => call(updateDefaultUserSettings, { [setting.name]: value })),
      ),
  };
}

const textOf = (name: string) => t(`newPeople.${name}` as TextKey);

function Flag(props: { setting: Declared<boolean>; disabled: boolean }) {
  const { saving, value, change } = createChange(props.setting);
  return (
    <div class="setting">
      <Toggle
        label={textOf(props.setting.name)}
        checked={value()}
        disabled={props.disabled}
        problem={saving.problem()}
        onChange={(checked) => void change(checked)}
      />
      <SavedNote saving={saving} />
    </div>
  );
}

type Plain = string | number;

function Choice(props: { setting: Declared<Plain>; values: readonly Plain[]; disabled: boolean }) {
  const { name } = props.setting;
  const { saving, value, change } = createChange<Plain>(props.setting);
  const choose = (text: string) => {
    const chosen = props.values.find((one) => String(one) === text);
    if (chosen !== undefined) void change(chosen);
  };
  return (
    <div class="setting">
      <Select
        label={textOf(name)}
        value={String(value())}
        options={props.values.map((one) => ({ value: String(one), label: textOf(`${name}.${one}`) }))}
        disabled={props.disabled}
        problem={saving.problem()}
        onChange={choose}
      />
      <SavedNote saving={saving} />
    </div>
  );
}
