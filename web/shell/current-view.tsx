import { createMemo, type JSX, Match, Show, Switch } from "solid-js";
import { Dynamic } from "solid-js/web";
import { conversationOf, keyOfNarrow, type Narrow } from "../../client/narrow.ts";
import { Compose } from "../compose/compose.tsx";
import { DropHint } from "../compose/drop-hint.tsx";
import { Feed } from "../feed/feed.tsx";
import { drawnPart, latePart, lazyPart } from "../i18n/lazy-part.ts";
import { hasFollowed, type Route, route, type SettingsView } from "../shared/routing/route.ts";
import { isSearch } from "../shared/routing/views.ts";
import { findFlaw, loadSearchLanguage } from "../shared/search/search-language.ts";
import { state } from "../shared/state/state.ts";
import { live } from "../ui/live.ts";
import { inbox } from "./late-parts.ts";
import { ViewHeader } from "./view-header.tsx";

const Inbox = drawnPart(inbox);
const Recent = lazyPart(async () => (await import("../recent/recent.tsx")).Recent);
const NoResults = lazyPart(async () => (await import("../search/no-results.tsx")).NoResults);
const LostChannel = lazyPart(async () => (await import("./lost-channel.tsx")).LostChannel);
const Drafts = lazyPart(async () => (await import("../drafts/drafts.tsx")).Drafts);
const Scheduled = lazyPart(async () => (await import("../later/scheduled.tsx")).Scheduled);
const Reminders = lazyPart(async () => (await import("../later/reminders.tsx")).Reminders);
const Profile = lazyPart(async () => (await import("../people/profile.tsx")).Profile);
const flawed = latePart(() => import("../search/flawed.tsx"));
const Found = lazyPart(async () => {
  await Promise.all([loadSearchLanguage(), flawed.need()]);
  return Messages;
});
const settingsViews = {
  settings: lazySettings(async () => (await import("../settings/settings.tsx")).Settings),
  organization: lazySettings(async () => (await import("../organization/organization.tsx")).Organization),
  channels: lazySettings(async () => (await import("../channels/channels.tsx")).Channels),
  groups: lazySettings(async () => (await import("../groups/groups.tsx")).Groups),
};

type SettingsComponent = (props: { path: readonly string[] }) => JSX.Element;

function lazySettings(load: () => Promise<SettingsComponent>) {
  return lazyPart(load, "settings");
}

const settingsOf = (current: Route) =>
  current.view in settingsViews ? (current as SettingsRoute) : undefined;
const profileOf = (current: Route) => (current.view === "user" ? current.userId : undefined);
type SettingsRoute = Extract<Route, { view: SettingsView }>;

/** What the address shows. A narrow that stays the same keeps its feed, whatever else changes. */
export function CurrentView() {
  const narrow = createMemo<Narrow | undefined>(
    () => {
      const current = route();
      return current.view === "messages" ? current.narrow : undefined;
    },
    undefined,
    { equals: (a, b) => a !== undefined && b !== undefined && keyOfNarrow(a) === keyOfNarrow(b) },
  );
  // A view that is being left may read once more what it was about.
  const path = createMemo<readonly string[]>((last) => settingsOf(route())?.path ?? last, []);
  const userId = createMemo<number>((last) => profileOf(route()) ?? last, 0);
  const messages = createMemo<Narrow>((last) => narrow() ?? last, []);
  return (
    <Switch fallback={<Inbox />}>
      <Match when={narrow() !== undefined}>
        {isSearch(messages()) ? <Found narrow={messages()} /> : <Messages narrow={messages()} />}
      </Match>
      <Match when={settingsOf(route())?.view} keyed>
        {(view) => <Dynamic component={settingsViews[view]} path={path()} />}
      </Match>
      <Match when={route().view === "user"}>
        <Profile userId={userId()} />
      </Match>
      <Match when={route().view === "recent"}>
        <Recent />
      </Match>
      <Match when={route().view === "drafts"}>
        <Drafts />
      </Match>
      <Match when={route().view === "scheduled"}>
        <Scheduled />
      </Match>
      <Match when={route().view === "reminders"}>
        <Reminders />
      </Match>
    </Switch>
  );
}

function Messages(props: { narrow: Narrow }) {
  const place = createMemo(() => conversationOf(props.narrow));
  const channelId = createMemo(() => {
    const shown = place();
    return shown?.kind === "channel" ? shown.channelId : undefined;
  });
  const channel = live(["channels", "generation"], () => state.model.channels.get(channelId() ?? 0));
  const known = createMemo<{ id?: number; name?: string }>(
    (last) => (channelId() === last.id && !channel() ? last : { id: channelId(), name: channel()?.name }),
    {},
  );
  /** Another one for each message box. The box goes along with its topic, with caret and focus. */
  const box = createMemo<object>((before) => {
    const { narrow } = props;
    return before && hasFollowed() ? before : { narrow };
  });
  return (
    <Show when={channelId() === undefined || channel()} fallback={<LostChannel name={known().name} />}>
      <Show when={props.narrow} keyed>
        {(shown) => (
          <>
            <ViewHeader narrow={shown} />
            <Show
              when={isSearch(shown) && findFlaw(shown)}
              keyed
              fallback={
                <Feed
                  narrow={shown}
                  whenEmpty={isSearch(shown) ? () => <NoResults narrow={shown} /> : undefined}
                />
              }
            >
              {(flaw) => <Show when={flawed.part()}>{(part) => part().FlawedSearch({ flaw })}</Show>}
            </Show>
          </>
        )}
      </Show>
      <Show when={box()} keyed>
        <Compose place={place()} />
      </Show>
      <DropHint />
    </Show>
  );
}
