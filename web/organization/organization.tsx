/** Settings of the organization: everybody may look at most, and administrators change them. */
import { Show } from "solid-js";
import { t } from "../i18n/t.ts";
import { mayInviteSignal } from "../shared/people/invite.ts";
import { SettingsFrame } from "../ui/settings-frame.tsx";
import { isAdministrator, isMember, isOwner } from "./calls.ts";
import { type Audience, sections } from "./sections.tsx";
import { type SettingName, type SettingSection, settingSections } from "./settings/setting-list.ts";

function settingsOf(section: string): readonly string[] {
  const names: readonly SettingName[] =
    section in settingSections ? settingSections[section as SettingSection] : [];
  return names.map((name) => t(`organization.setting.${name}`));
}

export function Organization(props: { path: readonly string[] }) {
  const isAdmin = isAdministrator();
  const owns = isOwner();
  const isMine = isMember();
  const invites = mayInviteSignal();
  const audiences: Readonly<Record<Audience, () => boolean>> = {
    everybody: () => true,
    members: isMine,
    inviters: () => isAdmin() || (isMine() && invites()),
    administrators: isAdmin,
    owners: owns,
  };
  const shown = () => sections.filter(({ audience }) => audiences[audience]());
  const isHidden = () => props.path[0] !== undefined && !shown().some(({ id }) => id === props.path[0]);
  return (
    <>
      <SettingsFrame
        title={t("organization.title")}
        base="#organization"
        sections={shown()}
        settingsOf={settingsOf}
        current={isHidden() ? undefined : props.path[0]}
      />
      <Show when={isHidden()}>
        <p class="sr" role="status">
          {t("organization.hidden")}
        </p>
      </Show>
    </>
  );
}
