/** What can be done with a line of the inbox. It is fetched when the pointer or the focus comes to one. */
import { Show } from "solid-js";
import { updateMessageFlags } from "../../api/messages/flags.ts";
import { markChannelAsRead } from "../../api/messages/read-state.ts";
import { t } from "../i18n/t.ts";
import { openChannelMenu } from "../shared/channels/open-channel-menu.ts";
import type { UnreadConversation } from "../shared/routing/unread-places.ts";
import { state } from "../shared/state/state.ts";
import { peopleNames, topicName } from "../shared/text/names.ts";
import { openTopicMenu } from "../shared/topics/open-topic-menu.ts";
import { isFollowed, markTopicRead, setPolicy, toggleMuted } from "../shared/topics/topic-actions.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { live } from "../ui/live.ts";
import { reportFailure } from "../ui/notice.ts";
import type { Group } from "./groups.ts";

/** The API takes so many in one call. */
const MAX_IDS = 1000;

/** A topic is read, followed or muted, and its menu has all others. A direct conversation is read. */
export function RowActions(props: { conversation: UnreadConversation }) {
  const topic = () => {
    const { place } = props.conversation;
    return "channelId" in place ? place : undefined;
  };
  const name = () => {
    const { place } = props.conversation;
    return "channelId" in place ? topicName(place.topic) : peopleNames(place.userIds);
  };
  const follows = live(["userTopics", "generation"], () => {
    const place = topic();
    return place !== undefined && isFollowed(place);
  });
  const markRead = () => {
    const { place } = props.conversation;
    if ("channelId" in place) markTopicRead(place);
    else markPeopleRead(place.userIds);
  };
  return (
    <span class="line-actions">
      <Action icon="check" label={t("inbox.markRead", { name: name() })} run={leaving(markRead)} />
      <Show when={topic()}>
        {(place) => (
          <>
            <Action
              icon="followed"
              label={t(follows() ? "inbox.unfollow" : "inbox.follow", { name: name() })}
              isOn={follows()}
              run={() => void setPolicy(place(), follows() ? "none" : "followed")}
            />
            <Action
              icon="bellOff"
              label={t("inbox.mute", { name: name() })}
              run={leaving(() => toggleMuted(place()))}
            />
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

/** A channel is read as a whole, and its menu has all others. */
export function GroupActions(props: { group: Group }) {
  const markRead = () => {
    const { channelId, conversations } = props.group;
    if (channelId === undefined) {
      markPeopleRead(...conversations.map(({ place }) => ("userIds" in place ? place.userIds : [])));
      return;
    }
    const parameters = { stream_id: channelId };
    void reportFailure(() => state.track(() => state.connection.call(markChannelAsRead, parameters)));
  };
  return (
    <span class="line-actions">
      <Action icon="check" label={t("inbox.markRead", { name: props.group.name })} run={leaving(markRead)} />
      <Show when={props.group.channelId}>
        {(channelId) => (
          <Action
            icon="more"
            label={t("sidebar.actions", { name: props.group.name })}
            hasMenu
            run={(button) => openChannelMenu(channelId(), button)}
          />
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

function Action(props: ActionProps) {
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

/** The line goes away by it. The focus goes to the next one, or to the one before. */
function leaving(run: () => void): (button: HTMLElement) => void {
  return (button) => {
    const rows = [...document.querySelectorAll<HTMLElement>(".inbox-row")];
    const own = button.closest("li, section");
    const isAfter = (row: HTMLElement) =>
      own !== null && (own.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const others = rows.filter((row) => !own?.contains(row));
    (others.find(isAfter) ?? others.at(-1))?.focus({ preventScroll: true });
    run();
  };
}

function markPeopleRead(...conversations: readonly (readonly number[])[]): void {
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
