import type { ListedMessage } from "../../api/messages/messages.ts";
import { safeLine, safeText, wrapLine } from "./terminal-text.ts";

export type Message = ListedMessage;

export interface ViewOptions {
  /** The columns of the terminal; undefined if lines may have any length. */
  columns: number | undefined;
  hasColors: boolean;
  /** The account at this terminal, which is left out of the people of a direct message. */
  ownEmail: string;
  now?: () => Date;
}

const INDENT = "    ";
const senderColors = [31, 32, 33, 34, 35, 36, 91, 92, 93, 94, 95, 96] as const;

/** Shows messages as blocks. Successive messages to one recipient form a block, with the recipient above. */
export class MessageView {
  readonly #options: () => ViewOptions;
  #recipient: string | undefined;
  #author: string | undefined;

  /** `options` is called for each message, since the width of a terminal can change. */
  constructor(options: () => ViewOptions) {
    this.#options = options;
  }

  /** The lines to print for the next message. */
  show(message: Message): string[] {
    const options = this.#options();
    const recipient = `${message.recipient_id}/${message.subject}`;
    const author = `${message.sender_id}/${timeOf(message, options)}`;
    const lines: string[] = [];
    if (recipient !== this.#recipient) {
      if (this.#recipient !== undefined) lines.push("");
      lines.push(paint(header(message, options.ownEmail), 1, options));
    }
    if (recipient !== this.#recipient || author !== this.#author) lines.push(byline(message, options));
    lines.push(...content(message, options));
    this.#recipient = recipient;
    this.#author = author;
    return lines;
  }

  /** To be called when other lines were printed: the next message then repeats its header. */
  interrupt(): void {
    if (this.#recipient !== undefined) this.#recipient = "";
  }
}

function header({ display_recipient, subject }: Message, ownEmail: string): string {
  if (typeof display_recipient === "string") return `#${safeLine(display_recipient)} › ${safeLine(subject)}`;
  const others = display_recipient.filter((person) => person.email !== ownEmail);
  return `→ ${others.length === 0 ? "yourself" : others.map((person) => safeLine(person.full_name)).join(", ")}`;
}

function byline(message: Message, options: ViewOptions): string {
  const color = senderColors[message.sender_id % senderColors.length] ?? 36;
  const name = paint(safeLine(message.sender_full_name), color, options);
  return `  ${paint(timeOf(message, options), 2, options)} ${name}`;
}

/** The Markdown source. Lines of code are never wrapped, since their breaks have a meaning. */
function content(message: Message, { columns }: ViewOptions): string[] {
  const width = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, columns - INDENT.length);
  let isCode = false;
  return safeText(message.content)
    .split("\n")
    .flatMap((line) => {
      const isFence = /^\s*(```|~~~)/.test(line);
      if (isFence) isCode = !isCode;
      return isCode || isFence ? [line] : wrapLine(line, width);
    })
    .map((line) => (line === "" ? "" : `${INDENT}${line}`));
}

/** The local time, with the date unless it is today. */
function timeOf({ timestamp }: Message, { now = () => new Date() }: ViewOptions): string {
  const date = new Date(timestamp * 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (date.toDateString() === now().toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

function paint(text: string, code: number, { hasColors }: ViewOptions): string {
  return hasColors ? `\x1b[${code}m${text}\x1b[0m` : text;
}
