/** Completions of a message's text: people, groups, channels, topics, emoji, languages and commands. */
import type { Model } from "../model/model.ts";
import type { User } from "../model/users.ts";
import type { Conversation } from "../narrow.ts";
import { canMentionAll } from "../permissions.ts";
import { type Emoji, findEmoji } from "./emoji.ts";
import { best, bestOf, type Ranked } from "./rank.ts";
import type { Token } from "./token.ts";

export interface Completion {
  kind: "person" | "group" | "wildcard" | "channel" | "topic" | "emoji" | "language" | "command";
  label: string;
  /** Says more about it, in a quieter way. */
  detail: string;
  /** Replaces what was typed. */
  text: string;
  userId?: number;
  emoji?: Emoji;
}

export interface Surroundings {
  model: Model;
  place: Conversation | undefined;
  /** Those who wrote here, the last one first. */
  recentSenders: readonly number[];
  topicsOf(channelId: number): readonly string[];
  emoji: readonly Emoji[];
  recentEmoji: readonly string[];
}

const LIMIT = 8;
/** People who wrote here come before all others; wildcards and groups come after people, bots last. */
const ORDER = { person: 1000, group: 1001, wildcard: 1002, bot: 1003 };

const languages = [
  ...["bash", "c", "c++", "css", "diff", "go", "html", "java", "javascript", "json", "kotlin", "lua"],
  ...["markdown", "math", "php", "python", "quote", "ruby", "rust", "scala", "sh", "spoiler", "sql"],
  ...["swift", "text", "toml", "tsx", "typescript", "xml", "yaml"],
];
const commands = ["me", "poll", "todo"];

export function complete(token: Token, around: Surroundings): Completion[] {
  switch (token.kind) {
    case "person":
      return mentions(token.query, around, "", [...groups(around), ...wildcards(around)]);
    case "silent":
      return mentions(token.query, around, "_", groups(around, "_"));
    case "channel":
      return best(channels(around), token.query, LIMIT);
    case "topic":
      return topics(token, around);
    case "emoji":
      return findEmoji(around.emoji, token.query, around.recentEmoji, LIMIT).map((emoji) => ({
        ...{ kind: "emoji", label: `:${emoji.names[0]}:`, detail: "", text: `:${emoji.names[0]}: `, emoji },
      }));
    case "language":
      return best(
        named(languages, "language", (name) => `${name}\n`),
        token.query,
        LIMIT,
      );
    case "command":
      return best(
        named(commands, "command", (name) => `/${name} `),
        token.query,
        LIMIT,
      );
  }
}

/** The best of the people and of `others`. Muted people are not proposed. */
function mentions(
  query: string,
  { model, recentSenders }: Surroundings,
  mark: string,
  others: Iterable<Ranked<Completion>>,
): Completion[] {
  const recent = new Map(recentSenders.map((id, at) => [id, at]));
  const found = bestOf<User | Ranked<Completion>>(peopleAnd(others, model), query, LIMIT, {
    nameOf: (candidate) => ("item" in candidate ? candidate.name : candidate.fullName),
    orderOf: (candidate) =>
      "item" in candidate ? candidate.order : (recent.get(candidate.id) ?? orderOf(candidate)),
  });
  const shared = sharedNames(
    found.flatMap((candidate) => ("item" in candidate ? [] : candidate.fullName)),
    model,
  );
  return found.map((candidate) =>
    "item" in candidate ? candidate.item : mentionOf(candidate, shared.has(candidate.fullName), mark),
  );
}

/** One at a time, since a list of so many people would be made for every key. */
function* peopleAnd<T>(others: Iterable<T>, { users, mutedUsers }: Model): Iterable<User | T> {
  for (const user of users.byId.values()) if (user.isActive && !mutedUsers.has(user.id)) yield user;
  for (const other of others) yield other;
}

/** The names among these that several people have, found in one pass over all people. */
function sharedNames(names: readonly string[], { users }: Model): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const { fullName } of users.byId.values()) {
    if (!names.includes(fullName)) continue;
    if (once.has(fullName)) shared.add(fullName);
    once.add(fullName);
  }
  return shared;
}

function orderOf({ isBot }: User): number {
  return isBot ? ORDER.bot : ORDER.person;
}

/** `isShared`: two people have the name, so it comes with the id. */
function mentionOf({ id, fullName, email }: User, isShared: boolean, mark: string): Completion {
  const text = `@${mark}**${fullName}${isShared ? `|${id}` : ""}** `;
  return { kind: "person", label: fullName, detail: isShared ? email : "", text, userId: id };
}

function* groups({ model }: Surroundings, mark = ""): Iterable<Ranked<Completion>> {
  for (const { name, description, isSystem, isDeactivated } of model.groups.byId.values()) {
    if (isSystem || isDeactivated) continue;
    const item: Completion = { kind: "group", label: name, detail: description, text: `@${mark}*${name}* ` };
    yield { item, name, order: ORDER.group };
  }
}

function* wildcards({ model, place }: Surroundings): Iterable<Ranked<Completion>> {
  if (place?.kind === "channel" && !canMentionAll(model, place.channelId)) return;
  const names = place?.kind === "channel" ? ["all", "everyone", "channel", "topic"] : ["all", "everyone"];
  for (const name of names) {
    const item: Completion = { kind: "wildcard", label: name, detail: "", text: `@**${name}** ` };
    yield { item, name, order: ORDER.wildcard };
  }
}

/** Subscribed channels come first. */
function* channels({ model }: Surroundings): Iterable<Ranked<Completion>> {
  for (const { id, name, description, isArchived } of model.channels.byId.values()) {
    if (isArchived) continue;
    const item: Completion = { kind: "channel", label: name, detail: description, text: `#**${name}** ` };
    yield { item, name, order: model.subscriptions.isSubscribed(id) ? 0 : 1 };
  }
}

/** In the order of their newest messages. */
function topics({ query, channelName = "" }: Token, { model, topicsOf }: Surroundings): Completion[] {
  const wanted = channelName.toLowerCase();
  const channel = [...model.channels.byId.values()].find(({ name }) => name.toLowerCase() === wanted);
  if (!channel) return [];
  const all = topicsOf(channel.id).filter((name) => name !== "");
  const item = (name: string): Completion => ({
    ...{ kind: "topic", label: name, detail: channel.name, text: `#**${channel.name}>${name}** ` },
  });
  return best(
    all.map((name, order) => ({ item: item(name), name, order })),
    query,
    LIMIT,
  );
}

function named(
  names: readonly string[],
  kind: "language" | "command",
  write: (name: string) => string,
): Ranked<Completion>[] {
  return names.map((name) => ({
    item: { kind, label: name, detail: "", text: write(name) },
    name,
    order: 0,
  }));
}
