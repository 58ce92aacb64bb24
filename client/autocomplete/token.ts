/** What is being typed at the caret that could be completed. */
export type TokenKind = "person" | "silent" | "channel" | "topic" | "emoji" | "language" | "command";

export interface Token {
  kind: TokenKind;
  /** Where the completed text begins, with its sign. */
  start: number;
  query: string;
  /** For a topic. */
  channelName?: string;
}

/** Names are not longer. */
const MAX_QUERY = 60;
/** Before a sign: the beginning, a space or an opening bracket. */
const MENTION = /(?:^|[\s([{'"/])@(_?)\*{0,2}([^\s@*][^\n@*]*|)$/;
const TOPIC = /(?:^|[\s([{'"/])#\*{0,2}([^\n#*>]+)>([^\n#*>]*)$/;
const CHANNEL = /(?:^|[\s([{'"/])#\*{0,2}([^\s#*>][^\n#*>]*|)$/;
const EMOJI = /(?:^|[\s([{'"/]):([a-z0-9+_-]{2,})$/i;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

export function tokenAt(text: string, caret: number): Token | undefined {
  const before = text.slice(0, caret);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return inFence(before, line) ? undefined : (tokenInLine(before, line) ?? languageIn(before, line));
}

function tokenInLine(before: string, line: string): Token | undefined {
  const at = (sign: string) => before.length - line.length + line.lastIndexOf(sign);
  const mention = MENTION.exec(line);
  if (mention) return bounded(mention[1] ? "silent" : "person", at("@"), mention[2]);
  const topic = TOPIC.exec(line);
  if (topic) {
    const token = bounded("topic", at("#"), topic[2]);
    return token && { ...token, channelName: topic[1] ?? "" };
  }
  const channel = CHANNEL.exec(line);
  if (channel) return bounded("channel", at("#"), channel[1]);
  const emoji = EMOJI.exec(line);
  if (emoji) return bounded("emoji", at(":"), emoji[1]);
  const command = /^\/(\w*)$/.exec(before);
  return command ? bounded("command", 0, command[1]) : undefined;
}

function bounded(kind: TokenKind, start: number, query = ""): Token | undefined {
  return query.length <= MAX_QUERY ? { kind, start, query } : undefined;
}

/** Behind the fence that opens a block of code. */
function languageIn(before: string, line: string): Token | undefined {
  const language = /^ {0,3}(?:`{3,}|~{3,}) ?([\w+#-]+)$/.exec(line)?.[1];
  return language === undefined ? undefined : bounded("language", before.length - language.length, language);
}

/** In a block of code, signs are text. */
function inFence(before: string, line: string): boolean {
  const above = before.slice(0, before.length - line.length).split("\n");
  return above.filter((one) => FENCE.test(one)).length % 2 === 1;
}
