import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import type { Section } from "../ui/settings-frame.tsx";
import { AuditLog } from "./audit-log/audit-log.tsx";
import { Bots } from "./bots/bots.tsx";
import { DefaultChannelGroups } from "./default-channels/default-channel-groups.tsx";
import { DefaultChannels } from "./default-channels/default-channels.tsx";
import { Domains } from "./domains.tsx";
import { EmojiSection } from "./emoji/emoji.tsx";
import { Exports } from "./exports.tsx";
import { LinkifierSection } from "./linkifiers/linkifiers.tsx";
import { Invitations } from "./people/invitations.tsx";
import { NewPeople } from "./people/new-people.tsx";
import { Users } from "./people/users.tsx";
import { PlaygroundSection } from "./playgrounds.tsx";
import { ProfileFieldSection } from "./profile-fields/profile-fields.tsx";
import { Profile } from "./settings/profile.tsx";
import { SettingSection } from "./settings/setting-section.tsx";
import { SignInMethods } from "./settings/sign-in-methods.tsx";

/** With its charts, which few look at. */
const Statistics = lazyPart(async () => (await import("./statistics/statistics.tsx")).Statistics, "settings");

/** The people who see a section. What they may not change is read-only in it. */
export type Audience = "everybody" | "members" | "inviters" | "administrators" | "owners";

export const sections: readonly (Section & { audience: Audience })[] = [
  {
    group: "organization.group.about",
    ...{ id: "profile", label: "organization.section.profile", icon: "building", audience: "everybody" },
    draw: () => <Profile />,
  },
  {
    group: "organization.group.about",
    ...{ id: "statistics", label: "statistics.title", icon: "poll", audience: "administrators" },
    draw: () => <Statistics />,
  },
  {
    group: "organization.group.people",
    ...{ id: "users", label: "organization.section.users", icon: "people", audience: "everybody" },
    draw: () => <Users />,
  },
  {
    group: "organization.group.people",
    ...{ id: "invitations", label: "organization.section.invitations", icon: "send", audience: "inviters" },
    draw: () => <Invitations />,
  },
  {
    group: "organization.group.people",
    ...{ id: "profile-fields", label: "profileFields.title", icon: "feed", audience: "everybody" },
    draw: () => <ProfileFieldSection />,
  },
  {
    group: "organization.group.joining",
    ...{ id: "joining", label: "organization.section.joining", icon: "plus", audience: "everybody" },
    draw: () => (
      <SettingSection name="joining">
        <Domains />
        <SignInMethods />
      </SettingSection>
    ),
  },
  {
    group: "organization.group.joining",
    ...{ id: "new-people", label: "organization.section.newPeople", icon: "star" },
    audience: "administrators",
    draw: () => <NewPeople />,
  },
  {
    group: "organization.group.joining",
    ...{ id: "default-channels", label: "defaultChannels.title", icon: "pin", audience: "members" },
    draw: () => (
      <>
        <DefaultChannels />
        <DefaultChannelGroups />
      </>
    ),
  },
  {
    group: "organization.group.permissions",
    ...{ id: "people", label: "organization.section.people", icon: "lock", audience: "everybody" },
    draw: () => <SettingSection name="people" />,
  },
  {
    group: "organization.group.permissions",
    ...{ id: "guests", label: "organization.section.guests", icon: "eye", audience: "everybody" },
    draw: () => <SettingSection name="guests" />,
  },
  {
    group: "organization.group.permissions",
    ...{ id: "moderation", label: "organization.section.moderation", icon: "shield", audience: "everybody" },
    draw: () => (
      <SettingSection name="moderation">
        <p class="about">{t("organization.moderation.about")}</p>
      </SettingSection>
    ),
  },
  {
    group: "organization.group.conversations",
    ...{ id: "channels", label: "organization.section.channels", icon: "hash", audience: "everybody" },
    draw: () => <SettingSection name="channels" />,
  },
  {
    group: "organization.group.conversations",
    ...{ id: "messages", label: "organization.section.messages", icon: "direct", audience: "everybody" },
    draw: () => <SettingSection name="messages" />,
  },
  {
    group: "organization.group.text",
    ...{ id: "emoji", label: "customEmoji.title", icon: "smile", audience: "everybody" },
    draw: () => <EmojiSection />,
  },
  {
    group: "organization.group.text",
    ...{ id: "linkifiers", label: "linkifiers.title", icon: "link", audience: "everybody" },
    draw: () => <LinkifierSection />,
  },
  {
    group: "organization.group.text",
    ...{ id: "playgrounds", label: "playgrounds.title", icon: "code", audience: "everybody" },
    draw: () => <PlaygroundSection />,
  },
  {
    group: "organization.group.bots",
    ...{ id: "bots", label: "bots.title", icon: "bot", audience: "members" },
    draw: () => <Bots />,
  },
  {
    group: "organization.group.bots",
    ...{ id: "integrations", label: "organization.section.integrations", icon: "attach" },
    audience: "everybody",
    draw: () => <SettingSection name="integrations" />,
  },
  {
    group: "organization.group.bots",
    ...{ id: "email", label: "organization.section.email", icon: "at", audience: "everybody" },
    draw: () => <SettingSection name="email" />,
  },
  {
    group: "organization.group.records",
    ...{ id: "audit-log", label: "audit.title", icon: "history", audience: "owners" },
    draw: () => <AuditLog />,
  },
  {
    group: "organization.group.records",
    ...{ id: "exports", label: "exports.title", icon: "download", audience: "administrators" },
    draw: () => <Exports />,
  },
  {
    group: "organization.group.records",
    ...{ id: "data", label: "organization.section.data", icon: "clock", audience: "administrators" },
    draw: () => (
      <SettingSection name="data">
        <h3>{t("organization.deactivate")}</h3>
        <p class="about">{t("organization.deactivateText")}</p>
        <p>
          <code>parley organization deactivate --host {location.hostname}</code>
        </p>
      </SettingSection>
    ),
  },
];
