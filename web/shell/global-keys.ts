import { userSettings } from "../../api/people/user-settings.ts";
import { conversationOf } from "../../client/narrow.ts";
import { channelBeside } from "../shared/channels/channel-order.ts";
import { beginTopic, mayBeginTopic } from "../shared/channels/new-topic.ts";
import { openBox } from "../shared/compose/compose-target.ts";
import { filterPeople } from "../shared/people/people-panel.ts";
import { channelLink } from "../shared/routing/links.ts";
import { go, route } from "../shared/routing/route.ts";
import { nextUnread } from "../shared/routing/unread-places.ts";
import { directView, homeHash, starredView } from "../shared/routing/views.ts";
import { startSearch } from "../shared/search/search-request.ts";
import { state } from "../shared/state/state.ts";
import { isFollowed } from "../shared/topics/topic-actions.ts";
import { openTopicList } from "../shared/topics/topic-list.tsx";
import { bindKeys } from "../ui/keys.ts";
import { cycleLandmarks } from "./landmarks.ts";
import { openMainMenu } from "./main-menu.tsx";

/** The keys that work in every view. */
export function bindGlobalKeys(actions: { openHelp(): void; openSwitcher(): void }): void {
  bindKeys([
    { keys: ["?"], label: "key.help", run: actions.openHelp },
    { keys: ["Mod+k"], label: "key.jump", run: actions.openSwitcher, everywhere: true },
    { keys: ["/"], label: "key.search", run: () => startSearch() },
    { keys: ["Shift+I"], label: "key.inbox", run: () => go("#inbox") },
    { keys: ["a"], label: "key.feed", run: () => go("#feed") },
    { keys: ["n"], label: "key.nextUnread", run: () => go(nextUnread() ?? "#inbox") },
    {
      keys: ["p"],
      label: "key.nextDirect",
      run: () => goIfAny(nextUnread((place) => "userIds" in place)),
    },
    {
      keys: ["Shift+N"],
      label: "key.nextFollowed",
      run: () => goIfAny(nextUnread((place) => "channelId" in place && isFollowed(place))),
    },
    { keys: ["t"], label: "view.recent", run: () => go("#recent") },
    { keys: ["*"], label: "view.starred", run: () => go(starredView.hash) },
    { keys: ["Shift+P"], label: "view.direct", run: () => go(directView.hash) },
    { keys: ["d"], label: "view.drafts", run: () => go("#drafts") },
    { keys: ["y"], label: "key.topics", run: openTopics },
    { keys: ["c"], label: "key.compose", run: composeHere },
    { keys: ["x"], label: "key.composeDirect", run: () => openBox({ kind: "direct", userIds: [] }) },
    { keys: ["Shift+A"], label: "key.previousChannel", run: () => goToChannel(-1) },
    { keys: ["Shift+D"], label: "key.nextChannel", run: () => goToChannel(1) },
    { keys: ["s"], label: "key.narrow", run: goToWholeChannel },
    { keys: ["w"], label: "key.people", run: filterPeople },
    { keys: ["g"], label: "key.menu", run: openMainMenu },
    {
      keys: ["F6"],
      label: "key.landmarks",
      run: cycleLandmarks,
      everywhere: true,
    },
    { keys: ["Ctrl+["], label: "key.home", run: () => go(homeHash()), everywhere: true },
    { keys: ["Escape"], label: "key.escape", run: goHome },
  ]);
}

/** In the channel that is on the screen, if the viewer may write there. Another one can be chosen. */
function composeHere(): void {
  const channelId = channelOnScreen();
  const isOwn = channelId !== undefined && state.model.subscriptions.isSubscribed(channelId);
  if (isOwn && mayBeginTopic(channelId)) beginTopic(channelId);
  else openBox("choosing");
}

/** Unless the account has that turned off. */
function goHome(): boolean {
  if (!state.model.settings.get(userSettings.webEscapeNavigatesToHomeView)) return false;
  go(homeHash());
  return true;
}

function goToChannel(step: 1 | -1): void {
  goIfAny(channelBeside(channelOnScreen(), step));
}

/** From one of its topics. In other views, the feed knows which message is meant. */
function goToWholeChannel(): boolean {
  const id = channelOnScreen();
  if (id === undefined) return false;
  go(channelLink(id));
  return true;
}

function channelOnScreen(): number | undefined {
  const current = route();
  const place = current.view === "messages" ? conversationOf(current.narrow) : undefined;
  return place?.kind === "channel" ? place.channelId : undefined;
}

function goIfAny(hash: string | undefined): void {
  if (hash !== undefined) go(hash);
}

/** Opens those of the channel on the screen. */
function openTopics(): boolean {
  const id = channelOnScreen();
  if (id === undefined) return false;
  openTopicList(id);
  return true;
}
