import type { EventOf } from "../../api/event.ts";
import type { draftRemoved, draftsAdded, draftUpdated } from "../../api/events/drafts.ts";
import { plainMap, type Subject } from "./subject.ts";
import { section, type WireObject } from "./wire.ts";

type DraftRecord = EventOf<typeof draftUpdated>["draft"];
type DraftEvent = EventOf<typeof draftsAdded> | EventOf<typeof draftUpdated> | EventOf<typeof draftRemoved>;

const MAX_PREVIOUS = 100;
const MAX_VERSIONS = 10;

export interface Draft {
  id: number;
  /** A channel with a topic, people, or nobody yet. */
  to:
    | { kind: "channel"; channelId: number; topic: string }
    | { kind: "direct"; userIds: readonly number[] }
    | { kind: "nobody" };
  /** Markdown. */
  content: string;
  /** UNIX seconds. */
  editedAt: number;
}

/** The messages that the viewer began to write. */
export class Drafts implements Subject {
  readonly byId = new Map<number, Draft>();
  /**
   * What the last events about a draft replaced or removed, the oldest first. Screens see only the outcome.
   */
  readonly previous = new Map<number, readonly Draft[]>();
  readonly handlers = {
    drafts: (event: DraftEvent) => {
      if (event.op === "remove") this.#remove(event.draft_id);
      else if (event.op === "update") this.#put(event.draft);
      else for (const record of event.drafts) this.#put(record);
    },
  };

  readonly keys = ["drafts"];

  static fromSnapshot(snapshot: WireObject): Drafts {
    const own = new Drafts();
    for (const record of section<DraftRecord>(snapshot, "drafts")) own.#put(record);
    return own;
  }

  comparable(): unknown {
    return plainMap(this.byId, (draft) => draft);
  }

  #remove(id: number): void {
    this.#keepPrevious(id);
    this.byId.delete(id);
  }

  #keepPrevious(id: number): void {
    const draft = this.byId.get(id);
    if (!draft) return;
    const before = this.previous.get(id) ?? [];
    this.previous.delete(id);
    this.previous.set(id, [...before.slice(1 - MAX_VERSIONS), draft]);
    const [oldest] = this.previous.keys();
    if (this.previous.size > MAX_PREVIOUS && oldest !== undefined) this.previous.delete(oldest);
  }

  #put(record: DraftRecord): void {
    const { id, content, timestamp } = record;
    this.#keepPrevious(id);
    this.byId.set(id, { id, to: readAddress(record), content, editedAt: timestamp });
  }
}

function readAddress({ type, to, topic }: DraftRecord): Draft["to"] {
  const [channelId] = to;
  if (type === "stream" && channelId !== undefined) return { kind: "channel", channelId, topic };
  return type === "private" ? { kind: "direct", userIds: [...to] } : { kind: "nobody" };
}
