import { conversationOf } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { type Route, route, type SettingsView } from "../shared/routing/route.ts";
import { viewName } from "../shared/routing/views.ts";
import { state } from "../shared/state/state.ts";
import { nameOf, placeName } from "../shared/text/names.ts";
import { shortCount } from "../shared/text/short-count.ts";
import { live } from "../ui/live.ts";

/** The window's title: how much is unread, the conversation, the organization. */
export function showTitle(): void {
  const count = live(
    ["unreads", "subscriptions", "userTopics", "generation"],
    () => state.model.unreads.count,
  );
  const organization = live(["organization", "generation"], () => state.model.organization.name);
  const current = route();
  const name = titleOf(current);
  document.title = `${count() > 0 ? `(${shortCount(count())}) ` : ""}${name} · ${organization()}`;
}

const settingsTitles: Readonly<Record<SettingsView, TextKey>> = {
  settings: "settings.title",
  organization: "organization.title",
  channels: "channels.title",
  groups: "groups.title",
};

function titleOf(current: Route): string {
  if (current.view === "recent") return t("view.recent");
  if (current.view === "drafts") return t("view.drafts");
  if (current.view === "scheduled") return t("view.scheduled");
  if (current.view === "reminders") return t("view.reminders");
  if (current.view === "user") return nameOf(current.userId);
  if (current.view in settingsTitles) return t(settingsTitles[current.view as SettingsView]);
  if (current.view !== "messages") return t("view.inbox");
  const place = conversationOf(current.narrow);
  return place ? placeName(place) : viewName(current.narrow);
}
