import { whyNotPost } from "../../../client/permissions.ts";
import { live } from "../../ui/live.ts";
import { openBox } from "../compose/compose-target.ts";
import { state } from "../state/state.ts";

/** The box opens with the channel, and asks for the topic. */
export function beginTopic(channelId: number): void {
  openBox({ kind: "channel", channelId, topic: undefined });
}

export function mayBeginTopic(channelId: number): boolean {
  const place = { kind: "channel", channelId, topic: undefined } as const;
  return whyNotPost(state.model, place) === undefined;
}

export const mayBeginTopicSignal = (channelId: () => number) =>
  live(["channels", "groups", "organization", "users", "generation"], () => mayBeginTopic(channelId()));
