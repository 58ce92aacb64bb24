import type { EventOf } from "../../api/event.ts";
import type { customEmojiChanged } from "../../api/events/emoji.ts";
import type { Subject } from "./subject.ts";
import type { WireObject } from "./wire.ts";

type CustomEmojiRecord = EventOf<typeof customEmojiChanged>["realm_emoji"][string];

export interface CustomEmoji {
  /** Reactions name it by this. */
  id: string;
  /** Without colons. */
  name: string;
  /** Below the organization's URL. */
  sourceUrl: string;
  /** undefined: it does not move. */
  stillUrl: string | undefined;
  /** Out of use, but messages and reactions may have it. */
  isDeactivated: boolean;
  authorId: number | undefined;
}

/** The emoji that the organization made for itself, with those out of use. */
export class CustomEmojis implements Subject {
  byId: ReadonlyMap<string, CustomEmoji>;
  readonly handlers = {
    realm_emoji: (event: EventOf<typeof customEmojiChanged>) => {
      this.byId = readAll(event.realm_emoji);
    },
  };

  readonly keys = ["realm_emoji"];

  private constructor(byId: ReadonlyMap<string, CustomEmoji>) {
    this.byId = byId;
  }

  static fromSnapshot(snapshot: WireObject): CustomEmojis {
    return new CustomEmojis(readAll((snapshot.realm_emoji ?? {}) as Record<string, CustomEmojiRecord>));
  }

  comparable(): unknown {
    return Object.fromEntries(this.byId);
  }
}

function readAll(records: Readonly<Record<string, CustomEmojiRecord>>): ReadonlyMap<string, CustomEmoji> {
  return new Map(Object.values(records).map((record) => [record.id, read(record)]));
}

function read({ id, name, source_url, still_url, deactivated, author_id }: CustomEmojiRecord): CustomEmoji {
  return {
    id,
    name,
    sourceUrl: source_url,
    stillUrl: still_url ?? undefined,
    isDeactivated: deactivated,
    authorId: author_id ?? undefined,
  };
}
