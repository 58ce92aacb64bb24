/** A message that the server does not have yet, or whose event is still on its way. */
import { foldName } from "../../api/fold-name.ts";

export type Address =
  | { kind: "channel"; channelId: number; topic: string }
  | { kind: "direct"; userIds: readonly number[] };

export interface OutgoingMessage {
  readonly localId: string;
  /** Follows a topic that is moved. */
  to: Address;
  content: string;
  /** UNIX seconds. */
  readonly sentAt: number;
  state: "sending" | "failed";
  /** What went wrong, for people. */
  problem: string | undefined;
  /** It failed since its topic moved to where others read. The person is to look at it first. */
  isHeld: boolean;
  /** Known once the server has it; its event may still be on the way. */
  id: number | undefined;
  /** The places in the text that uploads are to fill. The message is not sent before. */
  files: readonly string[];
  /** An attempt may have reached the server, so the message is looked for before it is sent again. */
  isUncertain: boolean;
  /** The newest message that was known before the first attempt: if the server has it, its id is higher. */
  afterId: number;
  /** A page that is loaded again finds it. */
  isStored: boolean;
}

/** Equal for addresses of one conversation. */
export function addressKey(to: Address): string {
  if (to.kind === "direct") return `direct ${[...to.userIds].sort((a, b) => a - b)}`;
  return `channel ${to.channelId} ${foldName(to.topic)}`;
}

/** A message as it is stored, with the name of the tab that it belongs to. */
export type Entry = Omit<OutgoingMessage, "id" | "isStored"> & { tab: string };

/** Tabs do not overwrite each other's: each message has an entry of its own. */
export function entryKey(userId: number, localId: string): string {
  return `parley.outbox.${userId}.${localId}`;
}
