import { createMemo, Show } from "solid-js";
import { MAX_FULL_NAME_LENGTH } from "../../api/limits.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import { updateProfileData } from "../../api/profiles/profile-fields.ts";
import { t } from "../i18n/t.ts";
import { hasProfileFields, ProfileFieldList } from "../shared/profiles/profile-field-list.tsx";
import { state } from "../shared/state/state.ts";
import { TextForm } from "../ui/text-form.tsx";
import { createOwnSetting, OwnChoice, saveSettings } from "./own-setting.tsx";
import { Picture } from "./picture.tsx";
import { isAdministrator, lockedSignal, viewerSignal } from "./viewer.ts";

/** What other people see of oneself. */
export function Profile() {
  const viewer = viewerSignal();
  const isNameLocked = lockedSignal("name");
  const hasFields = hasProfileFields();
  return (
    <>
      <Picture />
      <TextForm
        label={t("own.profile.name")}
        value={viewer()?.fullName ?? ""}
        maxLength={MAX_FULL_NAME_LENGTH}
        disabled={isNameLocked()}
        hint={isNameLocked() ? t("own.profile.nameLocked") : undefined}
        save={(text) => saveSettings({ full_name: text })}
      />
      <TimeZone />
      <OwnChoice
        setting={userSettings.emailAddressVisibility}
        label={t("own.profile.emailVisibility")}
        choices={[
          [1, t("own.profile.email.everyone")],
          [2, t("own.profile.email.members")],
          [5, t("own.profile.email.moderators")],
          [3, t("own.profile.email.administrators")],
          [4, t("own.profile.email.nobody")],
        ]}
      />
      <Show when={hasFields()}>
        <h3>{t("own.profile.more")}</h3>
        <ProfileFieldList
          userId={state.model.viewer.id}
          reasonFor={({ isEditableByUser }) =>
            isEditableByUser || isAdministrator(viewer()) ? undefined : t("own.profile.fieldLocked")
          }
          save={saveValue}
        />
      </Show>
    </>
  );
}

function saveValue(id: number, value: string | readonly number[]): Promise<unknown> {
  const parameters = { data: [{ id, value: typeof value === "string" ? value : [...value] }] };
  return state.track(() => state.connection.call(updateProfileData, parameters));
}

/** The time zone of the browser, as an IANA name. */
const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

function TimeZone() {
  const own = createOwnSetting(userSettings.timezone);
  const zones = createMemo(() => {
    const known = new Set(["UTC", browserZone(), ...Intl.supportedValuesOf("timeZone")]);
    return [...known].sort().map((zone) => [zone, zone.replaceAll("_", " ")] as const);
  });
  return (
    <>
      <OwnChoice
        setting={userSettings.timezone}
        label={t("own.profile.timeZone")}
        hint={t("own.profile.timeZoneHint")}
        choices={zones()}
      />
      <Show when={own.value() !== browserZone()}>
        <p class="aside">
          <button type="button" class="button" onClick={() => void own.change(browserZone())}>
            {t("own.profile.useZone", { zone: browserZone().replaceAll("_", " ") })}
          </button>
        </p>
      </Show>
    </>
  );
}
