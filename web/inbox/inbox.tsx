import { Show } from "solid-js";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { isAloneSignal, mayInviteSignal } from "../shared/people/invite.ts";
import { go } from "../shared/routing/route.ts";
import { listUnread, type UnreadConversation } from "../shared/routing/unread-places.ts";
import { state } from "../shared/state/state.ts";
import { channelName, peopleNames, topicName } from "../shared/text/names.ts";
import { channelHue } from "../ui/channel-hue.ts";
import { Icon } from "../ui/icon.tsx";
import { Keyed } from "../ui/keyed.tsx";
import { live } from "../ui/live.ts";
import { bindRowKeys } from "../ui/row-keys.ts";

const FirstSteps = lazyPart(async () => (await import("./first-steps.tsx")).FirstSteps);

interface Group {
  key: string;
  name: string;
  /** undefined: direct messages. */
  hue: string | undefined;
  conversations: UnreadConversation[];
}

/** Everything unread, by channel and conversation. Each row leads to the first unread message. */
export function Inbox() {
  let view: HTMLDivElement | undefined;
  bindRowKeys(() => view, ".inbox-row");
  const groups = live(["unreads", "subscriptions", "userTopics", "channels", "users", "generation"], () =>
    groupByChannel(listUnread()),
  );
  const isAlone = isAloneSignal();
  const invites = mayInviteSignal();
  const isIncomplete = live(["unreads", "generation"], () => state.model.unreads.isIncomplete);
  return (
    <>
      <header class="view-header">
        <button type="button" class="square back" aria-label={t("header.back")} onClick={() => go("#")}>
          <Icon name="back" />
        </button>
        <h1>{t("inbox.title")}</h1>
      </header>
      <div class="inbox" ref={view}>
        <Show when={isAlone() && invites()}>
          <FirstSteps />
        </Show>
        <Show when={groups().length > 0} fallback={<AllRead isAlone={isAlone()} />}>
          <Keyed each={groups()} by={({ key }) => key}>
            {(group) => <InboxGroup group={group()} />}
          </Keyed>
          <Show when={isIncomplete()}>
            <p class="note">{t("inbox.incomplete")}</p>
          </Show>
        </Show>
      </div>
    </>
  );
}

function InboxGroup(props: { group: Group }) {
  return (
    <section>
      <h2>
        <Show when={props.group.hue} fallback={props.group.name}>
          {(hue) => (
            <>
              <span class="channel-sign" style={{ "--h": hue() }}>
                <Icon name="hash" />
              </span>
              <bdi>{props.group.name}</bdi>
            </>
          )}
        </Show>
      </h2>
      <ul>
        <Keyed each={props.group.conversations} by={({ link }) => link}>
          {(conversation) => <InboxRow conversation={conversation()} />}
        </Keyed>
      </ul>
    </section>
  );
}

function InboxRow(props: { conversation: UnreadConversation }) {
  const name = () => {
    const { place } = props.conversation;
    return "channelId" in place ? topicName(place.topic) : peopleNames(place.userIds);
  };
  const isUrgent = () => props.conversation.hasMention || "userIds" in props.conversation.place;
  return (
    <li>
      <a class="inbox-row" href={props.conversation.link}>
        <bdi>{name()}</bdi>
        <span class="count" classList={{ urgent: isUrgent() }} aria-hidden="true">
          {props.conversation.count}
        </span>
        <span class="sr">, {t("sidebar.unread", { count: props.conversation.count })}</span>
      </a>
    </li>
  );
}

function AllRead(props: { isAlone: boolean }) {
  return (
    <div class="empty">
      <p>{t("inbox.empty")}</p>
      <Show when={!props.isAlone}>
        <a class="button" href="#feed">
          {t("inbox.emptyAction")}
        </a>
      </Show>
    </div>
  );
}

function groupByChannel(all: readonly UnreadConversation[]): Group[] {
  const groups = new Map<string, Group>();
  for (const conversation of all) {
    const { place } = conversation;
    const key = "channelId" in place ? `channel ${place.channelId}` : "direct";
    const group = groups.get(key) ?? { ...headingOf(place), key, conversations: [] };
    groups.set(key, group);
    group.conversations.push(conversation);
  }
  return [...groups.values()];
}

function headingOf(place: UnreadConversation["place"]): Pick<Group, "name" | "hue"> {
  if (!("channelId" in place)) return { name: t("sidebar.direct"), hue: undefined };
  const { color } = state.model.subscriptions.byChannel.get(place.channelId) ?? {};
  return { name: channelName(place.channelId), hue: String(channelHue(color)) };
}
