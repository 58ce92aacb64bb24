import { Show } from "solid-js";
import { markChannelAsRead } from "../../api/messages/read-state.ts";
import { t } from "../i18n/t.ts";
import { openChannelMenu } from "../shared/channels/open-channel-menu.ts";
import { state } from "../shared/state/state.ts";
import { Action, leaving, markPeopleRead } from "../shared/topics/row-actions.tsx";
import { reportFailure } from "../ui/notice.ts";
import type { Group } from "./groups.ts";

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
