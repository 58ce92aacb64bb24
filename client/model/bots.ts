import type { EventOf } from "../../api/event.ts";
import type { botAdded, botRemoved, botUpdated } from "../../api/events/bots.ts";
import { plainMap, type Subject } from "./subject.ts";
import { readFields, section, type WireObject } from "./wire.ts";

export interface Bot {
  id: number;
  fullName: string;
  email: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook. */
  botType: number;
  /** Absent in a session, which asks for each key. */
  apiKey?: string;
  /** The name of a channel. */
  defaultSendingStream: string | null;
  defaultEventsRegisterStream: string | null;
  defaultAllPublicStreams: boolean;
  avatarUrl: string | null;
  ownerId: number | null;
  isActive: boolean;
  services: readonly { base_url: string; interface: number; token?: string }[];
}

type BotEvent = EventOf<typeof botAdded> | EventOf<typeof botUpdated> | EventOf<typeof botRemoved>;

/** The bots that the viewer owns, and for administrators those that they may manage. */
export class Bots implements Subject {
  readonly byId = new Map<number, Bot>();
  /** How often each bot has got another key since the snapshot. */
  readonly newKeys = new Map<number, number>();
  readonly handlers = {
    realm_bot: (event: BotEvent) => {
      if (event.op === "delete") this.byId.delete(event.bot.user_id);
      else if (event.op === "add") this.#put(event.bot);
      else this.#update(event.bot);
    },
  };

  readonly keys = ["realm_bots"];

  static fromSnapshot(snapshot: WireObject): Bots {
    const bots = new Bots();
    for (const record of section(snapshot, "realm_bots")) bots.#put(record);
    return bots;
  }

  comparable(): unknown {
    return plainMap(this.byId, (bot) => bot);
  }

  #put(record: WireObject): void {
    const bot = readFields<Bot>(record, { user_id: "id" });
    this.byId.set(bot.id, bot);
  }

  #update(changed: WireObject & { user_id: number }): void {
    const bot = this.byId.get(changed.user_id);
    if (hasNewKey(changed)) this.newKeys.set(changed.user_id, (this.newKeys.get(changed.user_id) ?? 0) + 1);
    if (bot) Object.assign(bot, readFields<Partial<Bot>>(changed, { user_id: "id" }));
  }
}

/**
 * In a session the key is left out, so an update of it alone has nothing but the bot. A bot that comes back
 * has another key too.
 */
function hasNewKey({ user_id: _, ...changed }: WireObject): boolean {
  const names = Object.keys(changed);
  return names.length === 0 || names.includes("api_key") || changed.is_active === true;
}
