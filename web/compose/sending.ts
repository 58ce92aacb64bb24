/** Sends what is in the message box, or says what is missing. */
import type { Accessor } from "solid-js";
import { countCharacters } from "../../client/count-characters.ts";
import type { Conversation } from "../../client/narrow.ts";
import type { Address } from "../../client/outbox/message.ts";
import { t } from "../i18n/t.ts";
import { removeIfSent } from "../shared/compose/texts.ts";
import { beginsTopic, noteFirst } from "../shared/outbox/first-of-topic.ts";
import { maxMessageLength } from "../shared/state/server-limits.ts";
import { state } from "../shared/state/state.ts";
import { endPlaces } from "../shared/uploads/places.ts";
import { livePlaces, placesIn } from "../shared/uploads/uploads.ts";

interface Written {
  target: Accessor<Conversation | undefined>;
  text: Accessor<string>;
  write(text: string): void;
  topic: Accessor<string>;
  writeTopic(topic: string): void;
  setProblem(problem: string): void;
  stopTyping(): void;
}

export function createSending({ target, text, write, topic, writeTopic, setProblem, stopTyping }: Written) {
  /** Where it goes; or what is still missing, in words. */
  function address(): Address | string {
    const place = target();
    if (!place) return t("compose.needChannel");
    if (place.kind === "direct") return place.userIds.length === 0 ? t("compose.needPeople") : place;
    const { channelId } = place;
    const name = place.topic ?? topic().trim();
    if (channelId === 0) return t("compose.needChannel");
    if (place.topic === undefined && name === "") return t("compose.needTopic");
    return { kind: "channel", channelId, topic: name };
  }

  /** The text, if there is one of an allowed length, and where it goes. Says what is missing. */
  function ready(): { to: Address; content: string; place: Conversation } | undefined {
    const content = text().trim();
    const place = target();
    if (!place || content === "" || countCharacters(content) > maxMessageLength()) return undefined;
    const whole = endPlaces(content, livePlaces());
    if (whole !== content) {
      write(whole);
      setProblem(t("upload.lost"));
      return undefined;
    }
    const to = address();
    if (typeof to !== "string") return { to, content, place };
    setProblem(to);
    return undefined;
  }

  /** Whether there was something to send, and a place. */
  function send(): boolean {
    const message = ready();
    if (!message) return false;
    stopTyping();
    const { to, content, place } = message;
    const isFirst = to.kind === "channel" && beginsTopic(place, to.topic);
    const sent = state.outbox.send(to, content, placesIn(content));
    if (isFirst) noteFirst(sent);
    const typed = topic();
    removeIfSent(place, content);
    // The next message of a channel's view mostly has the same topic.
    if (typed !== "") writeTopic(typed);
    return true;
  }

  /** A text of its own, beside what is being written. Gives what is missing, in words. */
  function sendOther(content: string): string | undefined {
    const to = address();
    if (typeof to === "string") return to;
    state.outbox.send(to, content);
    return undefined;
  }

  return { ready, send, sendOther };
}
