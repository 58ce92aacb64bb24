import { t } from "../i18n/t.ts";
import { type Section, SettingsFrame } from "../ui/settings-frame.tsx";
import { Account } from "./account.tsx";
import { Bots } from "./bots.tsx";
import { MutedPeople } from "./muted.tsx";
import { Notifications } from "./notifications.tsx";
import { OwnData } from "./own-data.tsx";
import { Preferences } from "./preferences.tsx";
import { Privacy } from "./privacy.tsx";
import { Profile } from "./profile.tsx";
import { Security } from "./security.tsx";
import { Sessions } from "./sessions.tsx";
import { Topics } from "./topics.tsx";
import { Uploads } from "./uploads.tsx";

const sections: readonly Section[] = [
  { id: "profile", label: "own.profile", icon: "person", draw: () => <Profile /> },
  { id: "account", label: "own.account", icon: "key", draw: () => <Account /> },
  { id: "security", label: "own.security", icon: "lock", draw: () => <Security /> },
  { id: "sessions", label: "own.sessions", icon: "devices", draw: () => <Sessions /> },
  { id: "preferences", label: "own.preferences", icon: "sliders", draw: () => <Preferences /> },
  { id: "notifications", label: "own.notifications", icon: "bell", draw: () => <Notifications /> },
  { id: "privacy", label: "own.privacy", icon: "eye", draw: () => <Privacy /> },
  { id: "topics", label: "own.topics", icon: "direct", draw: () => <Topics /> },
  { id: "muted", label: "own.muted", icon: "bellOff", draw: () => <MutedPeople /> },
  { id: "uploads", label: "own.uploads", icon: "attach", draw: () => <Uploads /> },
  { id: "own-data", label: "own.data", icon: "download", draw: () => <OwnData /> },
  { id: "bots", label: "own.bots", icon: "bot", draw: () => <Bots /> },
];

/** Settings of one's own account. */
export function Settings(props: { path: readonly string[] }) {
  return (
    <SettingsFrame title={t("settings.title")} base="#settings" sections={sections} current={props.path[0]} />
  );
}
