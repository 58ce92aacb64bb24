/** The address goes along with what has moved: the message that a link names, or the topic on the screen. */
import { createEffect, on } from "solid-js";
import { CallError } from "../../../client/call-error.ts";
import type { Message } from "../../../client/model/messages.ts";
import { channelNarrow, conversationOf, keyOfNarrow, topicNarrow } from "../../../client/narrow.ts";
import { live } from "../../ui/live.ts";
import { state } from "../state/state.ts";
import { linkTo, narrowOfMessage } from "./links.ts";
import { replaceRoute, route } from "./route.ts";

export function followMovedLinks(): void {
  createEffect(() => {
    const current = route();
    if (current.view === "messages" && current.with !== undefined) void followMessage(current.with);
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

/** The address goes to where the message is. One that can't be read leaves it as it is. */
export async function followMessage(messageId: number): Promise<boolean> {
  const before = location.hash;
  let to: Message["to"] | undefined;
  try {
    to = (await state.findMessage(messageId))?.to;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
  const current = route();
  if (!to || location.hash !== before || current.view !== "messages") return false;
  const place = conversationOf(current.narrow);
  const isChannelView = place?.kind === "channel" && place.topic === undefined;
  const narrow = isChannelView && to.kind === "channel" ? channelNarrow(to.channelId) : narrowOfMessage(to);
  if (keyOfNarrow(narrow) === keyOfNarrow(current.narrow)) return false;
  replaceRoute(linkTo(narrow, current.near));
  return true;
}
