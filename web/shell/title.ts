import { conversationOf } from "../../client/narrow.ts";
import { placeName } from "../app/names.ts";
import { route } from "../app/route.ts";
import { state } from "../app/state.ts";
import { t } from "../i18n/t.ts";
import { live } from "../ui/live.ts";

/** The window's title: how much is unread, the conversation, the organization. */
export function showTitle(): void {
  const count = live(
    ["unreads", "subscriptions", "userTopics", "generation"],
    () => state.model.unreads.count,
  );
  const organization = live(["organization", "generation"], () => state.model.organization.name);
  const current = route();
  const place = current.view === "messages" ? conversationOf(current.narrow) : undefined;
  const name = place ? placeName(place) : t(current.view === "messages" ? "view.feed" : "view.inbox");
  document.title = `${count() > 0 ? `(${count()}) ` : ""}${name} · ${organization()}`;
}
