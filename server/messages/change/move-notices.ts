/** What the notification bot says of a move, where the messages were and where they are. */
import type { Change } from "../../events/transaction.ts";
import type { Viewer } from "../../viewer.ts";
import { RESOLVED_PREFIX } from "../message.ts";
import { type Post, postMessages } from "../send/post.ts";
import { isResolution, type Place } from "./edit-permissions.ts";
import type { Move } from "./move.ts";

export async function postMoveNotices(
  tx: Change,
  viewer: Viewer,
  move: Move,
  {
    tellsOldThread = false,
    tellsNewThread = true,
  }: { tellsOldThread?: boolean | undefined; tellsNewThread?: boolean | undefined },
): Promise<void> {
  const { from, to } = move;
  const who = `@_**${viewer.user.fullName}|${viewer.user.id}**`;
  const isOther = from.channel.id !== to.channel.id;
  const posts: Post[] = [];
  const postTo = ({ channel, topic }: Place, content: string) =>
    posts.push({ to: { channel, topic }, content });
  if (!isOther && isResolution(from.topic, to.topic)) {
    const state = to.topic.startsWith(RESOLVED_PREFIX) ? "resolved" : "unresolved";
    if (tellsNewThread) postTo(to, `${who} marked this topic as ${state}.`);
  } else if (!move.isRespelling) {
    const what = move.isWholeTopic
      ? "this topic"
      : move.ids.length === 1
        ? "a message"
        : `${move.ids.length} messages`;
    if (tellsNewThread) postTo(to, `${who} moved ${what} here from ${nameOf(from, to)}.`);
    if (tellsOldThread) postTo(from, `${who} moved ${what} to ${nameOf(to, from)}.`);
  }
  await postMessages(tx, posts);
}

/** Those who read the one place may not know of the other, so a private channel is not named elsewhere. */
function nameOf(place: Place, reader: Place): string {
  if (place.channel.isPrivate && place.channel.id !== reader.channel.id) return "another channel";
  return `#**${place.channel.name}>${place.topic}**`;
}
