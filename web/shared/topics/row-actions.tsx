/**
 * What can be done with a line of the inbox or of recent conversations. It is fetched when the pointer or the
 * focus comes to one.
 */
import { Show } from "solid-js";
import { isResolvedTopic } from "../../../api/channels/topic-name.ts";
import { updateMessageFlags } from "../../../api/messages/flags.ts";
import { canResolve } from "../../../client/permissions.ts";
import { t } from "../../i18n/t.ts";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { live } from "../../ui/live.ts";
import { reportFailure } from "../../ui/notice.ts";
import type { UnreadConversation } from "../routing/unread-places.ts";
import { state } from "../state/state.ts";
import { peopleNames, topicName } from "../text/names.ts";
import { openTopicMenu } from "./open-topic-menu.ts";
import {
  isFollowed,
  isTopicMuted,
  markTopicRead,
  setPolicy,
  toggleMuted,
  toggleResolved,
} from "./topic-actions.ts";

/** The API takes so many in one call. */
const MAX_IDS = 1000;

export interface RowProps {
  place: UnreadConversation["place"];
  isUnread: boolean;
  /** What makes the line go away. */
  ends: { read: boolean; muted: boolean };
  /** Whether a topic is resolved here too. */
  resolves?: boolean;
}

/** A topic is read, followed, resolved or muted, and its menu has all others. Direct messages are read. */
export function RowActions(props: RowProps) {
  const topic = () => ("channelId" in props.place ? props.place : undefined);
  const name = () => {
    const { place } = props;
    return "channelId" in place ? topicName(place.topic) : peopleNames(place.userIds);
  };
  const marks = live(["userTopics", "subscriptions", "generation"], () => {
    const place = topic();
    return {
      follows: place !== undefined && isFollowed(place),
      isMuted: place !== undefined && isTopicMuted(place),
      isOwn: place !== undefined && state.model.subscriptions.isSubscribed(place.channelId),
    };
  });
  const mayResolve = live(["channels", "groups", "organization", "users", "generation"], () => {
    const place = topic();
    return place !== undefined && place.topic !== "" && canResolve(state.model, place.channelId);
  });
  const markRead = () => {
    const { place } = props;
    if ("channelId" in place) markTopicRead(place);
    else markPeopleRead(place.userIds);
  };
  const going = (end: "read" | "muted", run: () => void) => (button: HTMLElement) =>
    (props.ends[end] ? leaving : staying)(run)(button);
  return (
    <span class="line-actions">
      <Show when={props.isUnread}>
        <Action icon="check" label={t("inbox.markRead", { name: name() })} run={going("read", markRead)} />
      </Show>
      <Show when={topic()}>
        {(place) => (
          <>
            <Show when={marks().isOwn}>
              <Action
                icon="followed"
                label={t(marks().follows ? "inbox.unfollow" : "inbox.follow", { name: name() })}
                isOn={marks().follows}
                run={() => void setPolicy(place(), marks().follows ? "none" : "followed")}
              />
            </Show>
            <Show when={props.resolves && mayResolve()}>
              <Action
                icon="resolved"
                label={t(isResolvedTopic(place().topic) ? "inbox.reopen" : "inbox.resolve", { name: name() })}
                isOn={isResolvedTopic(place().topic)}
                run={() => void toggleResolved(place())}
              />
            </Show>
            <Show when={marks().isOwn}>
              <Action
                icon="bellOff"
                label={t(marks().isMuted ? "inbox.unmute" : "inbox.mute", { name: name() })}
                isOn={marks().isMuted}
                run={going("muted", () => toggleMuted(place()))}
              />
            </Show>
            <Action
              icon="more"
              label={t("sidebar.actions", { name: name() })}
              hasMenu
              run={(button) => openTopicMenu(place(), button)}
            />
          </>
        )}
      </Show>
    </span>
  );
}

interface ActionProps {
  icon: IconName;
  label: string;
  isOn?: boolean;
  hasMenu?: boolean;
  run(button: HTMLElement): void;
}

export function Action(props: ActionProps) {
  return (
    <button
      type="button"
      class="square"
      classList={{ on: props.isOn ?? false }}
      tabindex={-1}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.isOn}
      aria-haspopup={props.hasMenu ? "menu" : undefined}
      onClick={(event) => props.run(event.currentTarget)}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** The button goes away by it, and the focus goes to the line. */
function staying(run: () => void): (button: HTMLElement) => void {
  return (button) => {
    button
      .closest("tr, li, .conversation-bar")
      ?.querySelector<HTMLElement>("a")
      ?.focus({ preventScroll: true });
    run();
  };
}

/** The line goes away by it. The focus goes to the next one, or to the one before. */
export function leaving(run: () => void): (button: HTMLElement) => void {
  return (button) => {
    const rows = [...document.querySelectorAll<HTMLElement>(".inbox-row, .recent-link")];
    const own = button.closest("tr, li, section");
    const isAfter = (row: HTMLElement) =>
      own !== null && (own.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const others = rows.filter((row) => !own?.contains(row));
    (others.find(isAfter) ?? others.at(-1))?.focus({ preventScroll: true });
    run();
  };
}

export function markPeopleRead(...conversations: readonly (readonly number[])[]): void {
  const ids = conversations.flatMap((userIds) => [...state.model.unreads.inConversation(userIds)]);
  void reportFailure(() =>
    state.track(async () => {
      for (let at = 0; at < ids.length; at += MAX_IDS) {
        const messages = ids.slice(at, at + MAX_IDS);
        await state.connection.call(updateMessageFlags, { messages, op: "add", flag: "read" });
      }
    }),
  );
}
