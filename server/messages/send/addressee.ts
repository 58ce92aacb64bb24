import { ApiError, errors } from "../../../api/errors.ts";
import type { WidgetContent } from "../../../api/messages/widgets.ts";

export type Addressee =
  | { kind: "channel"; channel: { id: number } | { name: string }; topic: string }
  | { kind: "direct"; userIds: readonly number[] }
  | { kind: "direct"; emails: readonly string[] };

/** A message as it is asked for. */
export interface SendRequest {
  to: Addressee;
  content: string;
  localEcho: { queueId: string; localId: string } | null;
  /** null: decided by the client's name. */
  readBySender: boolean | null;
  /** The poll or task list of the message; by default it is read from the text. */
  widget?: WidgetContent | undefined;
  /** Whether an earlier message of the same change began the topic. By default, the database is asked. */
  isReply?: boolean;
}

/** The most people that a direct message can go to. */
export const MAX_DIRECT_RECIPIENTS = 200;

export type To = number | string | readonly (number | string)[];

/**
 * Reads the `type` and `to` that clients send (spec E1): names, ids and emails, as one value, a list, or text
 * with commas.
 */
export function parseAddressee(type: string, to: To, topic: string | undefined): Addressee {
  if (isDirect(type)) return parsePeople(to);
  if (topic === undefined) throw new ApiError(errors.missingTopic);
  return { kind: "channel", channel: parseChannel(to), topic };
}

export function isDirect(type: string): boolean {
  return type === "direct" || type === "private";
}

function parseChannel(to: To): { id: number } | { name: string } {
  const named = typeof to === "object" ? to : [to];
  const [channel] = named;
  if (named.length !== 1 || channel === undefined) throw new ApiError(errors.oneChannel);
  return typeof channel === "number" ? { id: channel } : { name: channel };
}

function parsePeople(to: To): Addressee {
  const named =
    typeof to === "string"
      ? to
          .split(",")
          .map((email) => email.trim())
          .filter((email) => email !== "")
      : [to].flat();
  const userIds = named.filter((each) => typeof each === "number");
  if (userIds.length === named.length) return { kind: "direct", userIds };
  if (userIds.length > 0) throw new ApiError(errors.mixedRecipients);
  return { kind: "direct", emails: named as string[] };
}
