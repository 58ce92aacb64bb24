/** What programs that keep repositories say in common. */
import { type Static, Type } from "typebox";
import { maybe } from "./integration.ts";
import { bold, inline, link, list, paragraphs, quoted, truncate } from "./outside-text.ts";

const BRANCH = "refs/heads/";
const TAG = "refs/tags/";
const SHOWN_DIGITS = 7;
/** Leaves room for the name of a repository in a topic. */
const MAX_TITLE_IN_TOPIC = 40;

export interface Ref {
  kind: "branch" | "tag";
  name: string;
}

export function refOf(ref: string): Ref {
  if (ref.startsWith(TAG)) return { kind: "tag", name: ref.slice(TAG.length) };
  return { kind: "branch", name: ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : ref };
}

/** Zeros stand for "none", before a ref is made and after it is deleted. */
export function isNone(commit: string | null | undefined): boolean {
  return !commit || /^0+$/.test(commit);
}

export const commit = Type.Object({
  id: Type.String(),
  message: Type.String(),
  url: maybe(Type.String()),
});

export interface Push {
  who: string;
  ref: string;
  before: string | null | undefined;
  after: string | null | undefined;
  commits: readonly Static<typeof commit>[];
  /** How many commits there are, if the sender names some of them only. */
  count?: number | undefined;
  /** A page that shows all. */
  url?: string | null | undefined;
  isForced?: boolean | undefined;
}

export function pushed({ who, ref, before, after, commits, count, url, isForced }: Push): string {
  const { kind, name } = refOf(ref);
  const place = `${kind} ${bold(name)}`;
  if (isNone(after)) return `${inline(who)} deleted the ${place}.`;
  const number = count ?? commits.length;
  if (kind === "tag") return `${inline(who)} ${isNone(before) ? "pushed" : "moved"} the ${place}.`;
  const what = link(number === 1 ? "1 commit" : `${number} commits`, url);
  const made = isNone(before) ? "the new " : "";
  if (number === 0) return `${inline(who)} ${isNone(before) ? "created" : "moved"} the ${place}.`;
  return paragraphs(
    `${inline(who)} ${isForced ? "force-pushed" : "pushed"} ${what} to ${made}${place}.`,
    list(
      commits.map((one) => `${link(one.id.slice(0, SHOWN_DIGITS), one.url)} ${inline(titleOf(one.message))}`),
    ),
  );
}

export function branchTopic(repository: string, ref: string): string {
  return `${repository} / ${refOf(ref).name}`;
}

/** An issue or a proposed change. `sign` stands before its number. */
export function numberedTopic(repository: string, number: number, title: string, sign = "#"): string {
  return `${repository} / ${sign}${number} ${truncate(title, MAX_TITLE_IN_TOPIC)}`;
}

export interface Numbered {
  number: number;
  title: string;
  url: string | null | undefined;
}

/** Somebody did something with an issue or a proposed change. */
export function acted(
  who: string,
  did: string,
  what: string,
  { number, title, url }: Numbered,
  details?: { sign?: string; body?: string | null | undefined },
): string {
  const named = `${link(`${what} ${details?.sign ?? "#"}${number}`, url)}: ${inline(title)}`;
  return paragraphs(`${inline(who)} ${did} ${named}`, quoted(details?.body));
}

export function titleOf(message: string): string {
  return message.trim().split(/\r|\n/, 1)[0] ?? "";
}
