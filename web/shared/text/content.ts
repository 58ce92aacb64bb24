/** What the text of a message needs in a browser: local times, disclosure of spoilers, copying of code. */
import { conversationOf } from "../../../client/narrow.ts";
import { parseNarrowHash } from "../../../client/narrow-hash.ts";
import { t } from "../../i18n/t.ts";
import { copyText } from "../../ui/copy.ts";
import { showMedia } from "../media/content-media.ts";
import { state } from "../state/state.ts";
import { setHtml } from "./html.ts";
import { nameOf, placeName } from "./names.ts";
import { fullTime, shortTime } from "./times.ts";

export function renderContent(element: HTMLElement, html: string): void {
  setHtml(element, html);
  // Most messages are text alone.
  if (!/<(span|time|div|a|img)\b/.test(html)) return;
  const emoji = element.querySelectorAll<HTMLElement>(".emoji");
  if (emoji.length > 0) element.classList.toggle("lone-emoji", emoji.length <= MAX_LONE && isBare(element));
  for (const one of emoji) showEmoji(one);
  for (const time of element.querySelectorAll("time")) showTime(time);
  for (const mention of element.querySelectorAll<HTMLElement>(".user-mention[data-user-id]"))
    showMention(mention);
  for (const link of element.querySelectorAll("a")) openOutside(link);
  showMedia(element);
  for (const block of element.querySelectorAll<HTMLElement>(".spoiler-block")) foldSpoiler(block);
  for (const block of element.querySelectorAll<HTMLElement>(".codehilite")) addCopyButton(block);
}

const AS_EMOJI = 0xfe0f;
/** So many emoji without words are drawn large. */
const MAX_LONE = 3;

/** Whether nothing but emoji is in it. */
function isBare(element: HTMLElement): boolean {
  const [paragraph, ...others] = element.children;
  const isEmoji = (node: Node) =>
    node instanceof Element ? node.matches(".emoji") : node.textContent?.trim() === "";
  return paragraph?.matches("p") === true && others.length === 0 && [...paragraph.childNodes].every(isEmoji);
}

/**
 * The text for a code, which has the code points: `1f44d`. Signs that are texts by themselves, such as the
 * heart, are marked as emoji.
 */
export function emojiText(code: string): string {
  const points = code.split("-").map((part) => Number.parseInt(part, 16));
  const isText = (point: number, at: number) => {
    const sign = String.fromCodePoint(point);
    const isMarked = points[at + 1] === AS_EMOJI || /\p{Emoji_Modifier}/u.test(fromPoint(points[at + 1]));
    return /\p{Emoji}/u.test(sign) && !/\p{Emoji_Presentation}/u.test(sign) && !isMarked;
  };
  const whole = points.flatMap((point, at) => (isText(point, at) ? [point, AS_EMOJI] : [point]));
  return String.fromCodePoint(...whole);
}

const fromPoint = (point: number | undefined) => (point === undefined ? "" : String.fromCodePoint(point));

function showEmoji(element: HTMLElement): void {
  const code = /\bemoji-([0-9a-f]+(?:-[0-9a-f]+)*)\b/.exec(element.className)?.[1];
  if (code) element.textContent = emojiText(code);
}

function showTime(element: HTMLTimeElement): void {
  const moment = Date.parse(element.dateTime);
  if (Number.isNaN(moment)) return;
  element.textContent = shortTime(moment);
  element.title = fullTime(moment);
}

/** People are called what they are called now. `mentioned-people.ts` opens who that is. */
function showMention(element: HTMLElement): void {
  const id = Number(element.dataset.userId);
  if (!Number.isInteger(id) || !state.model.users.get(id)) return;
  if (id === state.model.viewer.id) element.classList.add("of-viewer");
  element.textContent = `${element.classList.contains("silent") ? "" : "@"}${nameOf(id)}`;
  // A link around it leads elsewhere.
  if (element.closest("a, button")) return;
  element.setAttribute("role", "button");
  element.setAttribute("aria-haspopup", "dialog");
  element.tabIndex = 0;
}

/** Links to conversations stay in this window. */
function openOutside(link: HTMLAnchorElement): void {
  const address = link.getAttribute("href") ?? "";
  if (/^\/?#/.test(address)) {
    link.setAttribute("href", address.replace(/^\//, ""));
    link.title ||= titleOf(address);
    return;
  }
  link.target = "_blank";
  link.rel = "noopener noreferrer";
}

/** Where the link leads, as that is called now. */
function titleOf(address: string): string {
  const narrow = parseNarrowHash(address.replace(/^\//, ""))?.narrow;
  const place = narrow && conversationOf(narrow);
  return place ? placeName(place) : "";
}

function foldSpoiler(block: HTMLElement): void {
  const header = block.querySelector<HTMLElement>(".spoiler-header");
  const content = block.querySelector<HTMLElement>(".spoiler-content");
  if (!header || !content) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "spoiler-button";
  button.append(...(header.textContent?.trim() ? header.childNodes : [t("content.spoiler")]));
  header.replaceChildren(button);
  const show = (isOpen: boolean) => {
    content.hidden = !isOpen;
    content.removeAttribute("aria-hidden");
    button.setAttribute("aria-expanded", String(isOpen));
  };
  show(false);
  button.addEventListener("click", () => show(content.hidden === true));
}

function addCopyButton(block: HTMLElement): void {
  const code = block.querySelector("pre");
  if (!code) return;
  // A block that is too wide is scrolled by keys.
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", block.dataset.codeLanguage ?? t("content.code"));
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = t("content.copy");
  button.addEventListener("click", async () => {
    if (await copyText(code.textContent ?? "")) button.textContent = t("content.copied");
  });
  block.append(button);
}
