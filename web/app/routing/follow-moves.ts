/** The address goes along with what has moved: the message that a link names, or the topic on the screen. */
import { createEffect, on } from "solid-js";
import { getMessage } from "../../../api/messages.ts";
import { CallError } from "../../../client/call-error.ts";
import { conversationOf, keyOfNarrow, topicNarrow } from "../../../client/narrow.ts";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { linkTo, narrowOfMessage } from "./links.ts";
import { replaceRoute, route } from "./route.ts";

export function followMovedLinks(): void {
  createEffect(() => {
    const current = route();
    if (current.view === "messages" && current.with !== undefined) void follow(current.with);
  });
}

/** The screen goes along with a topic that is moved or renamed while it is shown. */
export function followMovedTopics(): void {
  const moved = live("moves", () => state.moves);
  createEffect(
    on(
      moved,
      (moves) => {
        for (const { from, to } of moves) {
          const current = route();
          if (current.view !== "messages") return;
          const isShown =
            keyOfNarrow(current.narrow) === keyOfNarrow(topicNarrow(from.channelId, from.topic));
          if (isShown) replaceRoute(linkTo(topicNarrow(to.channelId, to.topic)));
        }
      },
      { defer: true },
    ),
  );
}

/** A message that can't be read leaves the address as it is. */
async function follow(messageId: number): Promise<void> {
  const before = location.hash;
  try {
    const known = state.model.messages.byId.get(messageId);
    if (!known) await fetchMessage(messageId);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
  const to = state.model.messages.byId.get(messageId)?.to;
  const current = route();
  if (!to || location.hash !== before || current.view !== "messages") return;
  const place = conversationOf(current.narrow);
  const isHere =
    to.kind === "channel" &&
    place?.kind === "channel" &&
    place.channelId === to.channelId &&
    place.topic === to.topic;
  if (!isHere) replaceRoute(linkTo(narrowOfMessage(to), current.near));
}

async function fetchMessage(messageId: number): Promise<void> {
  const parameters = { message_id: messageId, allow_empty_topic_name: true, apply_markdown: true };
  const { message } = await state.track(() => state.connection.call(getMessage, parameters as never));
  state.model.messages.add([message] as unknown as Parameters<typeof state.model.messages.add>[0]);
}
