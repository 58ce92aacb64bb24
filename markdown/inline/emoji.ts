import { emojiCodeByName, emojiCodeOf, emojiNameByCode } from "../emoji.ts";
import { escapeAttribute, escapeText } from "../escape.ts";
import type { Session } from "../session.ts";
import { HAS, type InlineRule } from "./phrase.ts";

/**
 * `:name:`; the organization's own emoji come before Unicode's. An unknown name stays as typed, with both
 * colons.
 */
export const emojiByName: InlineRule = {
  needs: HAS.colon,
  apply(text, session) {
    if (text.indexOf(":") === text.lastIndexOf(":")) return text;
    return text.replace(/:([\p{L}\p{N}_+-]+):/gu, (typed, name: string) => {
      const custom = session.lookups.emojiByName?.(name);
      if (custom !== undefined) return session.storePhrase(renderCustom(name, custom.url), typed);
      const code = emojiCodeByName(name);
      return code === undefined ? typed : session.storePhrase(renderUnicode(name, code), typed);
    });
  },
};

const EMOTICONS: Record<string, string> = {
  ":)": "smile",
  "(:": "smile",
  ":(": "frown",
  "<3": "heart",
  ":|": "expressionless",
  ":/": "confused",
  ";)": "wink",
  ":D": "grinning",
  ":o": "open_mouth",
  ":O": "open_mouth",
  ":p": "stuck_out_tongue",
  ":P": "stuck_out_tongue",
};

const EMOTICON = /(?<![^,.;?!()[\] "'\n\t])(?::[)(|/DoOpP]|\(:|<3|;\))(?![^,.;?!()[\] "'\n\t])/g;

/** Emoticons such as `:)`, alone or beside punctuation, for senders who turned them on. */
export const emoticon: InlineRule = {
  needs: HAS.colon | HAS.less | HAS.semicolon,
  apply(text, session) {
    if (session.lookups.translateEmoticons !== true) return text;
    return text.replace(EMOTICON, (typed) => {
      const name = EMOTICONS[typed]!;
      return session.storePhrase(renderUnicode(name, emojiCodeByName(name)!), typed);
    });
  },
};

const MODIFIERS = String.raw`(?:\p{Emoji_Modifier}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?`;
const ONE = String.raw`(?:\p{Regional_Indicator}{2}|\p{Emoji}${MODIFIERS})`;
// Unicode's tables list digits, "#" and "*" as emoji. They are meant as emoji only with a keycap.
const SEQUENCE = new RegExp(
  String.raw`(?![0-9#*](?!\uFE0F?\u20E3))(?:[0-9#*]\uFE0F?\u20E3|${ONE}(?:\u200D${ONE})*)`,
  "gu",
);

/**
 * Emoji typed as characters. A sequence is taken as a whole. An unknown sequence stays as it is, and is
 * never split into its parts.
 */
export const unicodeEmoji: InlineRule = {
  needs: HAS.unicode,
  apply(text, session) {
    return text.replace(SEQUENCE, (typed) => storeCharacters(typed, session));
  },
};

function storeCharacters(typed: string, session: Session): string {
  const code = emojiCodeOf(typed);
  const name = emojiNameByCode(code);
  return name === undefined ? typed : session.storePhrase(renderUnicode(name, code), typed);
}

function renderUnicode(name: string, code: string): string {
  const title = name.replace(/_/g, " ");
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}

function renderCustom(name: string, url: string): string {
  const title = escapeAttribute(name.replace(/_/g, " "));
  return `<img alt=":${escapeText(name)}:" class="emoji" src="${escapeAttribute(url)}" title="${title}">`;
}
