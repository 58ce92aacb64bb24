/** All keys of all views, by what they are for. The help dims those that the view on the screen has not. */
import type { TextKey } from "../i18n/texts.ts";
import { type Binding, listBindings } from "../ui/keys.ts";

interface HelpKey {
  label: TextKey;
  keys: readonly string[];
  isHere: boolean;
}

export interface HelpGroup {
  title: TextKey;
  keys: readonly HelpKey[];
}

const groups: readonly { title: TextKey; keys: readonly [label: TextKey, ...keys: string[]][] }[] = [
  {
    title: "help.places",
    keys: [
      ["key.jump", "Mod+k"],
      ["key.search", "/"],
      ["key.inbox", "Shift+I"],
      ["view.recent", "t"],
      ["key.feed", "a"],
      ["view.starred", "*"],
      ["view.direct", "Shift+P"],
      ["view.drafts", "d"],
      ["key.nextUnread", "n"],
      ["key.nextDirect", "p"],
      ["key.nextFollowed", "Shift+N"],
      ["key.topics", "y"],
      ["key.previousChannel", "Shift+A"],
      ["key.nextChannel", "Shift+D"],
      ["key.home", "Ctrl+["],
    ],
  },
  {
    title: "help.messages",
    keys: [
      ["key.next", "j", "ArrowDown"],
      ["key.previous", "k", "ArrowUp"],
      ["key.pageDown", "Shift+J"],
      ["key.pageUp", "Shift+K"],
      ["key.oldest", "Home"],
      ["key.newest", "End", "Shift+G"],
      ["message.react", ":"],
      ["key.thumbsUp", "+"],
      ["key.firstReaction", "="],
      ["message.star", "Mod+s"],
      ["message.collapse", "-"],
      ["message.copyLink", "l"],
      ["message.unreadFrom", "Shift+U"],
      ["key.userCard", "u"],
      ["message.picture", "v"],
      ["message.move", "m"],
      ["key.muteTopic", "Shift+M"],
      ["message.context", "z"],
      ["key.narrow", "s"],
      ["message.receipts", "Shift+V"],
      ["message.history", "Shift+H"],
      ["message.actions", "i"],
    ],
  },
  {
    title: "help.writing",
    keys: [
      ["key.compose", "c"],
      ["key.composeDirect", "x"],
      ["key.reply", "r", "Enter"],
      ["message.replyToSender", "Shift+R"],
      ["message.replyMentioning", "@"],
      ["message.quote", ">"],
      ["message.forward", "<"],
      ["key.edit", "e"],
      ["key.editLast", "ArrowLeft"],
      ["key.escape", "Escape"],
    ],
  },
  {
    title: "help.page",
    keys: [
      ["key.nextRow", "j", "ArrowDown"],
      ["key.previousRow", "k", "ArrowUp"],
      ["key.filterList", "q"],
      ["key.people", "w"],
      ["key.menu", "g"],
      ["key.landmarks", "F6"],
      ["key.help", "?"],
    ],
  },
];

/** What is bound and in no group has one of its own, so that nothing is hidden. */
export function listHelp(): HelpGroup[] {
  const bound = new Map<TextKey, Binding>(listBindings().map((binding) => [binding.label, binding]));
  const known = groups.map(({ title, keys }) => ({
    title,
    keys: keys.map(([label, ...own]) => ({ label, keys: own, isHere: bound.has(label) })),
  }));
  const listed = new Set(known.flatMap(({ keys }) => keys.map(({ label }) => label)));
  const others = [...bound.values()].filter(({ label }) => !listed.has(label));
  if (others.length === 0) return known;
  return [
    ...known,
    { title: "help.others", keys: others.map(({ label, keys }) => ({ label, keys, isHere: true })) },
  ];
}
