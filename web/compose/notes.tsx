import { createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import { getSubscriptionStatus, subscribe } from "../../api/channels/subscriptions.ts";
import { isResolvedTopic } from "../../api/channels/topic-name.ts";
import { CallError } from "../../client/call-error.ts";
import { type Conversation, conversationNarrow } from "../../client/narrow.ts";
import { canMentionAll, canResolve, canSubscribeOthers } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { placeKey } from "../shared/compose/begun-text.ts";
import { linkTo } from "../shared/routing/links.ts";
import { problemOf } from "../shared/state/problem-of.ts";
import { state } from "../shared/state/state.ts";
import { mentionsIn } from "../shared/text/mentions-in.ts";
import { channelName, nameOf, placeName } from "../shared/text/names.ts";
import { toggleResolved } from "../shared/topics/topic-actions.ts";
import { isSameList } from "../ui/same-list.ts";

/** The text is read when its writer pauses. */
const PAUSE_MS = 300;
/** Mentioning so many people or fewer needs no words. */
const FEW = 15;
/** We ask about at most this many people whether they are in the channel. */
const MAX_ASKED = 10;
/** How many characters of another text are shown. */
const MAX_START = 60;
/** Characters that begin mentions and links to channels. */
const SIGNS = /[@#]/;

interface NotesProps {
  place: Conversation;
  /** The conversation on the screen, if it is one. */
  view: Conversation | undefined;
  text: string;
  /** What else was begun for the place. */
  other: string | undefined;
  onOther(): void;
}

/** What one should know before sending: it goes elsewhere, notifies many, or misses somebody. */
export function Notes(props: NotesProps) {
  const [text, setText] = createSignal("");
  const [absent, setAbsent] = createSignal<readonly number[]>([]);
  const [problem, setProblem] = createSignal<string>();
  createEffect(
    on(
      () => props.text,
      (written) => {
        const timer = setTimeout(() => setText(written), SIGNS.test(written) ? PAUSE_MS : 0);
        onCleanup(() => clearTimeout(timer));
      },
    ),
  );
  const channelId = () => (props.place.kind === "channel" ? props.place.channelId : 0);
  const mentions = createMemo(() => (SIGNS.test(text()) ? mentionsIn(text()) : undefined));
  const isElsewhere = () => {
    const isAddressed = props.place.kind === "direct" ? props.place.userIds.length > 0 : channelId() !== 0;
    const isChannelView = props.view?.kind === "channel" && props.view.topic === undefined;
    const isInView = isChannelView && props.view?.kind === "channel" && props.view.channelId === channelId();
    return props.view && isAddressed && !isInView && placeKey(props.view) !== placeKey(props.place);
  };
  const wildcard = () => {
    const count = state.model.channels.get(channelId())?.subscriberCount ?? 0;
    if (!mentions()?.hasEveryone || count <= FEW) return undefined;
    return t(canMentionAll(state.model, channelId()) ? "notes.many" : "notes.tooMany", { count });
  };
  const mentioned = createMemo<readonly number[]>(() => mentions()?.userIds ?? [], [], {
    equals: isSameList,
  });
  createEffect(
    on([mentioned, channelId], ([userIds, id]) => {
      setAbsent([]);
      setProblem(undefined);
      if (id !== 0 && userIds.length > 0) void findAbsent(userIds, id);
    }),
  );

  /** Finds which of those who are mentioned are not in the channel. Without an answer, nothing is said. */
  async function findAbsent(userIds: readonly number[], id: number): Promise<void> {
    const others = userIds.filter((userId) => userId !== state.model.viewer.id).slice(0, MAX_ASKED);
    const asked = mentions();
    const found = await Promise.all(others.map(async (userId) => ((await isIn(userId, id)) ? [] : [userId])));
    if (asked === mentions() && id === channelId()) setAbsent(found.flat());
  }

  /** Those that not everyone who reads the message can see. */
  const privateChannels = () =>
    [...new Set(mentions()?.channelIds)].filter(
      (id) => id !== channelId() && state.model.channels.get(id)?.isPrivate,
    );

  async function add(userId: number): Promise<void> {
    const parameters = { subscriptions: [{ name: channelName(channelId()) }], principals: [userId] };
    setProblem(await problemOf(() => state.connection.call(subscribe, parameters)));
    if (problem() === undefined) setAbsent(absent().filter((id) => id !== userId));
  }

  return (
    <div class="notes" role="status">
      <Show when={isElsewhere()}>
        <p>
          {t("notes.elsewhere", { place: placeName(props.place) })}{" "}
          <a href={linkTo(conversationNarrow(props.place))}>{t("notes.goThere")}</a>
        </p>
      </Show>
      <Show when={props.other}>
        {(text) => (
          <p>
            <span class="other-text">{t("notes.otherText", { text: startOf(text()) })}</span>{" "}
            <button type="button" class="quiet" onClick={() => props.onOther()}>
              {t("notes.showOther")}
            </button>
          </p>
        )}
      </Show>
      <ResolvedNote place={props.place} text={props.text} />
      <Show when={wildcard()}>{(words) => <p class="strong">{words()}</p>}</Show>
      <For each={privateChannels()}>
        {(id) => <p>{t("notes.privateChannel", { channel: channelName(id) })}</p>}
      </For>
      <For each={absent()}>
        {(userId) => (
          <p>
            {t("notes.absent", { name: nameOf(userId), channel: channelName(channelId()) })}{" "}
            <Show when={canSubscribeOthers(state.model, channelId())}>
              <button type="button" class="quiet" onClick={() => void add(userId)}>
                {t("notes.add", { name: nameOf(userId) })}
              </button>
            </Show>
          </p>
        )}
      </For>
      <Show when={problem()}>{(words) => <p class="problem">{words()}</p>}</Show>
    </div>
  );
}

/** Who writes in a resolved topic should know, and who only reads is not told. */
function ResolvedNote(props: { place: Conversation; text: string }) {
  const resolved = () => {
    const { place } = props;
    if (place.kind !== "channel" || place.topic === undefined || props.text.trim() === "") return undefined;
    return isResolvedTopic(place.topic) ? { channelId: place.channelId, topic: place.topic } : undefined;
  };
  return (
    <Show when={resolved()}>
      {(place) => (
        <p>
          {t("notes.resolved")}{" "}
          <Show when={canResolve(state.model, place().channelId)}>
            <button type="button" class="quiet" onClick={() => void toggleResolved(place())}>
              {t("notes.reopen")}
            </button>
          </Show>
        </p>
      )}
    </Show>
  );
}

/** Enough of a text to know it again. */
function startOf(text: string): string {
  const characters = [...text.trim().slice(0, 4 * MAX_START)];
  return characters.length > MAX_START ? `${characters.slice(0, MAX_START).join("")}…` : characters.join("");
}

async function isIn(userId: number, channelId: number): Promise<boolean> {
  const parameters = { user_id: userId, stream_id: channelId };
  try {
    return (await state.connection.call(getSubscriptionStatus, parameters)).is_subscribed;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return true;
  }
}
