/**
 * What people without an account see where the organization admits them: the public channels, read-only.
 * Everything that needs an account leads to the form, and back to the same address.
 */
import { createEffect, createMemo, For, onCleanup, Show } from "solid-js";
import type { Channel } from "../../client/model/channels.ts";
import { type Conversation, conversationOf } from "../../client/narrow.ts";
import { Feed } from "../feed/feed.tsx";
import { compareTexts } from "../i18n/intl.ts";
import { language, t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { channelLink, topicLink } from "../shared/routing/links.ts";
import { go, route } from "../shared/routing/route.ts";
import { isIdleSignal } from "../shared/state/activity.ts";
import { loginAddress, state } from "../shared/state/state.ts";
import { placeName, topicName } from "../shared/text/names.ts";
import { Item } from "../sidebar/item.tsx";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { handleKey } from "../ui/keys.ts";
import { live } from "../ui/live.ts";

/** Those that only read. */
const READING_KEYS = ["j", "k", "ArrowDown", "ArrowUp", "End", "G"];
const MAX_TOPICS = 50;

type Place = Extract<Conversation, { kind: "channel" }>;

export function Spectator() {
  const isIdle = isIdleSignal();
  const name = live(["organization", "generation"], () => state.model.organization.name);
  const channels = live(["channels", "generation"], () =>
    [...state.model.channels.byId.values()]
      .filter(({ isWebPublic, isArchived }) => isWebPublic && !isArchived)
      .sort((a, b) => compareTexts(a.name, b.name, language())),
  );
  const place = createMemo(() => {
    const current = route();
    const found = current.view === "messages" ? conversationOf(current.narrow) : undefined;
    const isOpen = found?.kind === "channel" && channels().some(({ id }) => id === found.channelId);
    return isOpen ? found : undefined;
  });
  /** The address is of something that not everybody can read. */
  const needsAccount = () => route().view !== "home" && place() === undefined;
  const onKey = (event: KeyboardEvent) => {
    if (READING_KEYS.includes(event.key)) handleKey(event);
  };
  addEventListener("keydown", onKey);
  onCleanup(() => removeEventListener("keydown", onKey));
  createEffect(() => {
    const [first] = channels();
    if (route().view === "home" && first && !isPhone()) go(channelLink(first.id));
  });
  createEffect(() => {
    const shown = place();
    document.title = shown ? `${placeName(shown)} · ${name()}` : name();
  });
  const list = () => <ChannelList channels={channels()} place={place()} />;
  return (
    <div
      class="app"
      data-screen={isPhone() && route().view === "home" ? "list" : "main"}
      aria-busy={!isIdle()}
    >
      <header class="top-bar">
        <a class="organization" href="/">
          <img src="/logo.svg" alt="" width="22" height="22" />
          <span dir="auto">{name()}</span>
        </a>
        <a class="button primary sign-in" href={loginAddress(route())}>
          {t("spectator.signIn")}
        </a>
      </header>
      <Show when={!isPhone()}>{list()}</Show>
      <main>
        <Show when={needsAccount()}>
          <NeedsAccount />
        </Show>
        <Show when={isPhone() && route().view === "home"}>
          <ListScreen list={list} />
        </Show>
        <Show when={place()}>
          {(shown) => (
            <>
              <header class="view-header">
                <button
                  type="button"
                  class="square back"
                  aria-label={t("header.back")}
                  onClick={() => go("#")}
                >
                  <Icon name="back" />
                </button>
                <h1 dir="auto">{placeName(shown())}</h1>
              </header>
              <Reading />
              <p class="spectator-note">
                {t("spectator.note")} <a href={loginAddress(route())}>{t("spectator.signIn")}</a>
              </p>
            </>
          )}
        </Show>
      </main>
    </div>
  );
}

/** The public channels, the open one with its topics. */
function ChannelList(props: { channels: readonly Channel[]; place: Place | undefined }) {
  const isOpen = (id: number) => props.place?.channelId === id;
  return (
    <nav class="sidebar" aria-label={t("app.views")}>
      <h2>{t("sidebar.channels")}</h2>
      <ul>
        <For each={props.channels}>
          {({ id, name }) => (
            <>
              <Item
                link={channelLink(id)}
                name={name}
                isCurrent={isOpen(id) && props.place?.topic === undefined}
                sign={
                  <span class="sign channel-sign" style={{ "--h": channelHue(undefined) }}>
                    <Icon name="hash" />
                  </span>
                }
              />
              <Show when={isOpen(id)}>
                <Topics channelId={id} topic={props.place?.topic} />
              </Show>
            </>
          )}
        </For>
      </ul>
    </nav>
  );
}

/** In the place of a conversation that only people with an account can see. */
function NeedsAccount() {
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("spectator.needsAccount")}</h1>
      </header>
      <div class="inbox">
        <div class="empty">
          <p>{t("spectator.needsAccountHint")}</p>
          <a class="button primary" href={loginAddress(route())}>
            {t("spectator.signIn")}
          </a>
        </div>
      </div>
    </>
  );
}

function ListScreen(props: { list(): ReturnType<typeof Item> }) {
  return (
    <>
      <h1 class="sr">{t("view.home")}</h1>
      {props.list()}
    </>
  );
}

/** The messages. What a press would change needs an account. */
function Reading() {
  const onClick = (event: MouseEvent) => {
    const needsAccount = ".chip, .sender-name, .row-toolbar button, .user-mention";
    if (!(event.target instanceof Element) || !event.target.closest(needsAccount)) return;
    event.stopPropagation();
    event.preventDefault();
    location.assign(loginAddress(route()));
  };
  const narrow = () => {
    const current = route();
    return current.view === "messages" ? current.narrow : undefined;
  };
  let element: HTMLDivElement | undefined;
  const listen = (one: HTMLDivElement) => {
    element = one;
    element.addEventListener("click", onClick, { capture: true });
  };
  return (
    <div class="spectator-feed" ref={listen}>
      <Show when={narrow()} keyed>
        {(shown) => <Feed narrow={shown} />}
      </Show>
    </div>
  );
}

function Topics(props: { channelId: number; topic: string | undefined }) {
  const names = live([`topics:${props.channelId}`, "generation"], () => {
    void state.topics.need(props.channelId);
    return state.topics
      .of(props.channelId)
      .slice(0, MAX_TOPICS)
      .map(({ name }) => name);
  });
  return (
    <For each={names()}>
      {(name) => (
        <Item
          isTopic
          link={topicLink(props.channelId, name)}
          name={topicName(name)}
          isCurrent={props.topic === name}
        />
      )}
    </For>
  );
}
