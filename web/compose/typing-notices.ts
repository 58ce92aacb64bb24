/** Tells others that the viewer is typing: when it begins, again while it goes on, and when it ends. */
import { setTypingStatus } from "../../api/messages/typing.ts";
import { userSettings } from "../../api/people/user-settings.ts";
import { CallError } from "../../client/call-error.ts";
import type { Conversation } from "../../client/narrow.ts";
import { idle } from "../shared/page/when-idle.ts";
import { state } from "../shared/state/state.ts";

const AGAIN_MS = 10_000;
const IDLE_MS = 5_000;

export class TypingNotices {
  #place: Conversation | undefined;
  #sentAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  note(place: Conversation, text: string): void {
    const isOpen = place.kind === "channel" && place.topic === undefined;
    if (isOpen || text.trim() === "") {
      this.stop();
      return;
    }
    const setting =
      place.kind === "channel"
        ? userSettings.sendStreamTypingNotifications
        : userSettings.sendPrivateTypingNotifications;
    if (!state.model.settings.get(setting)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), IDLE_MS);
    if (this.#place && Date.now() - this.#sentAt < AGAIN_MS) return;
    this.#place = place;
    this.#sentAt = Date.now();
    void notify("start", place);
  }

  stop(): void {
    clearTimeout(this.#timer);
    if (this.#place) void notify("stop", this.#place);
    this.#place = undefined;
  }
}

/** A lost notice does no harm. A late one does none either, and what was typed is painted first. */
async function notify(op: "start" | "stop", place: Conversation): Promise<void> {
  const parameters =
    place.kind === "channel"
      ? { op, type: "channel" as const, stream_id: place.channelId, topic: place.topic ?? "" }
      : { op, type: "direct" as const, to: [...place.userIds] };
  await idle();
  try {
    await state.connection.call(setTypingStatus, parameters, { retries: 0 });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
  }
}
