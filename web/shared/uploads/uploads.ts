/** Files on their way to the server, wherever one is. Each has a place in a text, which becomes its link. */
import { createSignal } from "solid-js";
import type { Conversation } from "../../../client/narrow.ts";
import { state } from "../state/state.ts";

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly to: Conversation;
  /** In the text. No other upload has the same. */
  readonly place: string;
  /** From 0 to 1. */
  readonly sent: number;
  /** The address in this page, if it is a picture that is under way. */
  readonly picture: string | undefined;
  readonly problem: string | undefined;
  /** The file is there, and its place in the text is gone. */
  readonly link: string | undefined;
  /** Ends the upload, or takes its row off the screen. */
  cancel(): void;
  /**
   * Sends the file once more. `insert` puts its place into a text; without it, the link is offered. A file
   * that is too large has none.
   */
  readonly tryAgain: ((insert?: (text: string) => void) => void) | undefined;
}

const [uploads, setUploads] = createSignal<readonly Upload[]>([]);

export { setUploads, uploads };

/** The places of files that are under way. */
export const livePlaces = () =>
  uploads()
    .filter(({ problem, link }) => problem === undefined && link === undefined)
    .map(({ place }) => place);

export const hasUploads = () => livePlaces().length > 0;

/** Those that the text has. */
export const placesIn = (text: string) => livePlaces().filter((place) => text.includes(place));

/** Those that are shown apart: the row of a message that waits for its files says so itself. */
export const freeUploads = () => {
  const { messages } = state.outbox;
  return uploads().filter(({ place }) => !messages.some(({ files }) => files.includes(place)));
};
