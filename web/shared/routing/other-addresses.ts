/** Addresses that are no view of this client: those of other clients for the same API, and mistyped ones. */
import { channelNarrow } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { say } from "../../ui/notice.ts";
import { linkTo } from "./links.ts";
import { replaceRoute } from "./route.ts";
import { feedView } from "./views.ts";

const known: Readonly<Record<string, string>> = {
  streams: "#channels/available",
  "streams/all": "#channels/available",
  "streams/subscribed": "#channels",
  "streams/new": "#channels/new",
  "channels/all": "#channels/available",
  recent_topics: "#recent",
  all_messages: feedView.hash,
  invite: "#organization/invitations",
};

/** They have pages of their own. */
const pages: Readonly<Record<string, string>> = {
  "keyboard-shortcuts": "/help/keyboard",
  "message-formatting": "/help/writing",
  "search-operators": "/help/search",
  "about-zulip": "/help",
};

/** Goes to what is meant, or says that there is nothing. */
export function followOtherAddress(hash: string): void {
  const name = hash.replace(/^#/, "").replace(/\/$/, "");
  const channelId = /^(?:topics|streams)\/(\d{1,15})\b/.exec(name)?.[1];
  const page = pages[name];
  const view = channelId === undefined ? known[name] : linkTo(channelNarrow(Number(channelId)));
  if (page) location.replace(page);
  else if (view) replaceRoute(view);
  else say(t("address.unknown"));
}
