/** What people have read, as a plain list of pairs, to compare a server with. */
import type { ChannelId } from "../../api/ids.ts";

export const people = ["ada", "ben", "dev", "elin"] as const;
export type Person = (typeof people)[number];

export interface Sent {
  id: number;
  sender: Person;
  /** undefined: a direct message. */
  channelId: ChannelId | undefined;
  topic: string;
  receivers: readonly Person[];
  /** Whether it came from another channel. */
  hasMoved: boolean;
}

/** The pairs. A message that is in neither set counts as read for the person, who has not read it. */
export class PlainReading {
  readonly messages = new Map<number, Sent>();
  readonly subscribed = new Map<ChannelId, Set<Person>>();
  readonly unread = new Map<Person, Set<number>>(people.map((name) => [name, new Set()]));
  readonly read = new Map<Person, Set<number>>(people.map((name) => [name, new Set()]));

  of(name: Person) {
    return { unread: this.unread.get(name) as Set<number>, read: this.read.get(name) as Set<number> };
  }

  isSubscribed(name: Person, channelId: ChannelId | undefined): boolean {
    return channelId === undefined || this.subscribed.get(channelId)?.has(name) === true;
  }

  in(channelId: ChannelId | undefined, topic?: string): Sent[] {
    return [...this.messages.values()].filter(
      (each) => each.channelId === channelId && (topic === undefined || each.topic === topic),
    );
  }

  send(message: Sent): void {
    this.messages.set(message.id, message);
    for (const name of message.receivers) if (name !== message.sender) this.of(name).unread.add(message.id);
  }

  mark(name: Person, ids: readonly number[]): void {
    const { unread, read } = this.of(name);
    for (const id of ids) if (unread.delete(id)) read.add(id);
  }

  unmark(name: Person, ids: readonly number[]): void {
    const { unread, read } = this.of(name);
    for (const id of ids) {
      if (!this.isSubscribed(name, this.messages.get(id)?.channelId)) continue;
      unread.add(id);
      read.delete(id);
    }
  }

  markAll(name: Person): void {
    const { unread, read } = this.of(name);
    for (const { id, channelId, receivers } of this.messages.values()) {
      if (channelId === undefined ? !receivers.includes(name) : !this.isSubscribed(name, channelId)) continue;
      unread.delete(id);
      read.add(id);
    }
  }

  leave(name: Person, channelId: ChannelId): void {
    this.subscribed.get(channelId)?.delete(name);
    for (const { id } of this.in(channelId)) this.of(name).unread.delete(id);
  }

  move(ids: readonly number[], channelId: ChannelId, topic: string): void {
    for (const id of ids) {
      const message = this.messages.get(id) as Sent;
      const isOther = message.channelId !== channelId;
      for (const name of people) if (!this.isSubscribed(name, channelId)) this.of(name).unread.delete(id);
      this.messages.set(id, { ...message, channelId, topic, hasMoved: message.hasMoved || isOther });
    }
  }

  delete(id: number): void {
    this.messages.delete(id);
    for (const name of people) {
      this.of(name).unread.delete(id);
      this.of(name).read.delete(id);
    }
  }
}
