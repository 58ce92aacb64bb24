/** What the "+" of the message box offers. */

import { organizationSettings } from "../../api/administration/organization-settings.ts";
import { lazyPart } from "../i18n/lazy-part.ts";
import { t } from "../i18n/t.ts";
import { isPhone } from "../shared/page/screen.ts";
import { state } from "../shared/state/state.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { openMenu } from "../ui/menus.tsx";
import { openOverlay } from "../ui/overlay.ts";
import type { createComposeText } from "./compose-text.ts";
import type { Format } from "./format.ts";
import { formats } from "./format-bar.tsx";

const EmojiPicker = lazyPart(async () => (await import("../ui/emoji-picker.tsx")).EmojiPicker);
const ListDialog = lazyPart(async () => (await import("./list-dialog.tsx")).ListDialog);
const Snippets = lazyPart(async () => (await import("./snippets.tsx")).Snippets);

/** As the API numbers it. */
const JITSI = 1;
const ROOM_BYTES = 12;

type ComposeText = ReturnType<typeof createComposeText>;

interface InsertParts {
  message: ComposeText;
  insert(text: string): void;
  format(format: Format): void;
}

/** On a phone, there is no room for the marks beside it, so they are in the menu. */
export function openInsertMenu(anchor: Element, { message, insert, format }: InsertParts): void {
  openMenu(t("insert.title"), anchor, [
    ...(isPhone() ? formatItems(format) : []),
    { icon: "poll", label: t("insert.poll"), run: () => askForList("poll", message) },
    { icon: "tasks", label: t("insert.tasks"), run: () => askForList("todo", message) },
    {
      ...{ icon: "snippet", label: t("insert.snippet"), shortcut: "Mod+'" },
      run: () => openSnippets(message, insert),
    },
    { icon: "eye", label: t("insert.spoiler"), run: () => insert("```spoiler \n\n```") },
    { icon: "quote", label: t("insert.quote"), run: () => insert("```quote\n\n```") },
    ...callItems(insert),
  ]);
}

/** A link to a room whose name nobody guesses, where the organization has calls. */
function callItems(insert: (text: string) => void): MenuItem[] {
  const { organization } = state.model;
  if (organization.get(organizationSettings.videoChatProvider) !== JITSI) return [];
  const server = organization.get(organizationSettings.jitsiServerUrl);
  if (server === null) return [];
  const open = () => insert(`[${t("insert.callLink")}](${server.replace(/\/+$/, "")}/${roomName()})`);
  return [{ icon: "external", label: t("insert.call"), run: open }];
}

function roomName(): string {
  const letters = crypto.getRandomValues(new Uint8Array(ROOM_BYTES));
  return [...letters].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function formatItems(format: (format: Format) => void): MenuItem[] {
  return formats.map((one) => ({
    ...{ icon: one.icon, label: t(`format.${one.format}`) },
    run: () => format(one.format),
  }));
}

export function openSnippets(message: ComposeText, insert: (text: string) => void): void {
  openOverlay((close) => <Snippets text={message.text()} onChoose={insert} onClose={close} />);
}

export function openEmoji(anchor: Element, insert: (text: string) => void): void {
  openOverlay((close) => (
    <EmojiPicker anchor={anchor} onPick={(_emoji, text) => insert(text)} onClose={close} isForText />
  ));
}

function askForList(command: "poll" | "todo", message: ComposeText): void {
  openOverlay((close) => <ListDialog command={command} send={message.sendOther} onClose={close} />);
}
