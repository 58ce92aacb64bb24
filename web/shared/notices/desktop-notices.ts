/**
 * Notices of the browser and sounds, for messages whose conversation is not in front of the person. Nobody is
 * asked for permission on load: the question is a banner, after the first message that it is about.
 */

import { userSettings } from "../../../api/people/user-settings.ts";
import type { Message } from "../../../client/model/messages.ts";
import { matchesNarrow } from "../../../client/narrow.ts";
import { hashOfNarrow } from "../../../client/narrow-hash.ts";
import { type Notice, noticeOf } from "../../../client/notices.ts";
import { t } from "../../i18n/t.ts";
import { narrowOfMessage } from "../routing/links.ts";
import { go, route } from "../routing/route.ts";
import { state } from "../state/state.ts";
import { channelName, nameOf, peopleNames, topicName } from "../text/names.ts";
import { plainText } from "../text/plain.ts";
import { askOnce } from "./notice-question.ts";
import { quietUntil } from "./quiet.ts";
import { playSound } from "./sound.ts";

const MAX_LENGTH = 200;
/** For so long, no other tab notices the same message. */
const OTHER_TABS_MS = 3000;

export function noticeMessages(): void {
  state.onArrival = (messageId) => {
    const message = state.model.messages.byId.get(messageId);
    const notice = message && noticeOf(state.model, message);
    if (!message || !notice || isInFront(message) || quietUntil()) return;
    void onceInTabs(messageId, () => show(message, notice));
  };
}

function show(message: Message, { showsDesktop, playsSound, showsContent }: Notice): void {
  const sound = state.model.settings.get(userSettings.notificationSound);
  if (playsSound && sound !== "none") playSound(sound);
  if (!showsDesktop || !("Notification" in window)) return;
  if (Notification.permission === "default") askOnce();
  if (Notification.permission !== "granted") return;
  const notice = new Notification(titleOf(message), {
    body: showsContent ? plainText(message.content, MAX_LENGTH) : t("notice.hidden"),
    tag: String(message.id),
    icon: "/logo.svg",
    silent: true,
  });
  notice.onclick = () => {
    window.focus();
    go(hashOfNarrow({ narrow: narrowOfMessage(message.to), near: message.id }));
    notice.close();
  };
}

function titleOf({ senderId, to }: Message): string {
  const name = nameOf(senderId);
  if (to.kind === "channel") {
    return t("notice.inTopic", { name, place: `#${channelName(to.channelId)} › ${topicName(to.topic)}` });
  }
  return to.userIds.length > 2 ? t("notice.inGroup", { name, people: peopleNames(to.userIds) }) : name;
}

function isInFront(message: Message): boolean {
  if (document.visibilityState !== "visible" || !document.hasFocus()) return false;
  const current = route();
  if (current.view !== "messages") return false;
  return matchesNarrow(current.narrow, message, state.model.viewer.id) === true;
}

/** Every tab gets the message. One of them holds the lock while the others look. */
async function onceInTabs(messageId: number, run: () => void): Promise<void> {
  if (!("locks" in navigator)) return run();
  await navigator.locks.request(`parley notice ${messageId}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    run();
    await new Promise((resolve) => setTimeout(resolve, OTHER_TABS_MS));
  });
}
