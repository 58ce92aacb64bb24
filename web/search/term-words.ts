/** What a term of a search means, in words. */
import type { Narrow, NarrowTerm } from "../../client/narrow.ts";
import { formatTerm, operandText } from "../../client/search/grammar.ts";
import { namesOf } from "../../client/search/names.ts";
import { findOperator } from "../../client/search/operators.ts";
import { t } from "../i18n/t.ts";
import type { TextKey } from "../i18n/texts.ts";
import { state } from "../shared/state/state.ts";
import type { IconName } from "../ui/icon.tsx";

type Name =
  | "channel"
  | "channels"
  | "topic"
  | "sender"
  | "dm"
  | "dm-including"
  | "is"
  | "has"
  | "mentions"
  | "near"
  | "id"
  | "in"
  | "search";

const icons: Readonly<Record<Name, IconName>> = {
  channel: "hash",
  channels: "hash",
  topic: "hash",
  sender: "people",
  dm: "direct",
  "dm-including": "direct",
  is: "check",
  has: "attach",
  mentions: "at",
  near: "clock",
  id: "link",
  in: "feed",
  search: "search",
};

const choices: Readonly<Record<string, TextKey>> = {
  "is:unread": "search.is.unread",
  "is:starred": "search.is.starred",
  "is:mentioned": "search.is.mentioned",
  "is:dm": "search.is.dm",
  "is:alerted": "search.is.alerted",
  "is:followed": "search.is.followed",
  "is:resolved": "search.is.resolved",
  "is:muted": "search.is.muted",
  "has:link": "search.has.link",
  "has:image": "search.has.image",
  "has:attachment": "search.has.attachment",
  "has:reaction": "search.has.reaction",
  "channels:public": "search.channels.public",
  "channels:web-public": "search.channels.webPublic",
  "channels:all": "search.channels.all",
  "in:home": "search.in.home",
  "in:all": "search.in.all",
};

const isName = (operator: string): operator is Name => operator in icons;

export function iconOf(operator: string): IconName {
  return isName(operator) ? icons[operator] : "search";
}

/** As it stands in a pill: `channel: design`. */
export function pillText(term: NarrowTerm): string {
  const { operator, operand, negated } = term;
  if (operator === "search") return formatTerm(term, namesOf(state.model));
  return `${negated ? "−" : ""}${operator}: ${operandText(operator, operand, namesOf(state.model))}`;
}

/** What the operator is for, before it has a value. */
export function operatorWords(operator: string): string {
  return isName(operator) ? t(`search.operator.${operator}`) : operator;
}

export function describeTerms(terms: Narrow): string {
  return terms.map(describe).join(" · ");
}

function describe(term: NarrowTerm): string {
  const { operator, operand, negated } = term;
  const words = describePositive(operator, operand);
  return negated ? t("search.not", { words }) : words;
}

function describePositive(operator: string, operand: NarrowTerm["operand"]): string {
  const choice = choices[`${operator}:${operand}`];
  if (choice) return t(choice);
  if (operand === "me") return t(operator === "mentions" ? "search.mentionsMe" : "search.fromMe");
  const text = operandText(operator, operand, namesOf(state.model));
  const value = text === "" && findOperator(operator)?.name === "topic" ? t("topic.general") : text;
  return isName(operator) ? t(`search.about.${operator}`, { value }) : value;
}
