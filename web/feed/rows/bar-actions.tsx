import type { Message } from "../../../client/model/messages.ts";
import { state } from "../../shared/state/state.ts";
import { RowActions } from "../../shared/topics/row-actions.tsx";
import { live } from "../../ui/live.ts";

/** What can be done with the conversation of a bar, at its end. */
export function BarActions(props: { to: Message["to"] }) {
  const place = () =>
    props.to.kind === "channel"
      ? { channelId: props.to.channelId, topic: props.to.topic }
      : { userIds: props.to.userIds };
  const isUnread = live(["unreads", "generation"], () => {
    const { to } = props;
    const { unreads } = state.model;
    const ids =
      to.kind === "channel" ? unreads.inTopic(to.channelId, to.topic) : unreads.inConversation(to.userIds);
    return ids.size > 0;
  });
  return <RowActions place={place()} isUnread={isUnread()} ends={{ read: false, muted: false }} resolves />;
}
