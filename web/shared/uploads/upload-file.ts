/**
 * An upload outlives the box: at its end, the link goes into the message that waits for it, or into the text
 * of its conversation.
 */
import { CallError } from "../../../client/call-error.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { t } from "../../i18n/t.ts";
import { replaceInText } from "../compose/texts.ts";
import { maxUploadMib } from "../state/server-limits.ts";
import { state } from "../state/state.ts";
import { placeOfFile } from "./places.ts";
import { sendFile } from "./send-file.ts";
import { keepPicture, pictureOf } from "./shown-pictures.ts";
import { livePlaces, placesIn, setUploads, type Upload } from "./uploads.ts";

const MIB = 2 ** 20;
/** Texts that are held elsewhere until their files are there. */
const held = new Set<{ text: string; places: string[]; end(text: string | undefined): void }>();
let count = 0;

/** The text with the links of its files, once they are there; undefined if one of them failed. */
export function whenUploaded(text: string): Promise<string | undefined> {
  const places = placesIn(text);
  if (places.length === 0) return Promise.resolve(text);
  return new Promise((end) => held.add({ text, places, end }));
}

/** Shows the file, sends it, and puts its link where its place is by then. */
export async function uploadFile(
  file: File,
  to: Conversation,
  insert?: (text: string) => void,
): Promise<void> {
  const id = ++count;
  const name = file.name.replace(/[[\]]/g, "_");
  const limit = maxUploadMib();
  const tooLarge = file.size > limit * MIB ? t("upload.tooLarge", { limit }) : undefined;
  const controller = new AbortController();
  const place = freePlace(name);
  const picture = tooLarge === undefined ? pictureOf(file) : undefined;
  const hide = () => picture && URL.revokeObjectURL(picture);
  const cancel = () => {
    const isUnderWay = livePlaces().includes(place);
    controller.abort();
    remove(id);
    if (isUnderWay) end(place, to, "", t("upload.cancelled", { name }));
  };
  const tryAgain = (by?: (text: string) => void) => {
    remove(id);
    void uploadFile(file, to, by);
  };
  setUploads((all) => [
    ...all,
    {
      ...{ id, name, to, place, sent: 0, picture, problem: tooLarge, link: undefined, cancel },
      tryAgain: tooLarge === undefined ? tryAgain : undefined,
    },
  ]);
  if (tooLarge !== undefined) return;
  insert?.(place);
  try {
    const address = await sendFile(file, controller.signal, (sent) => change(id, { sent }));
    const link = `[${name}](${address})`;
    if (picture) keepPicture(address, picture);
    if (end(place, to, link)) remove(id);
    else change(id, { link, picture: undefined });
  } catch (error) {
    hide();
    if (controller.signal.aborted) return;
    const problem = error instanceof CallError ? error.message : t("connection.unreachable");
    change(id, { problem, picture: undefined });
    if (end(place, to, "", t("upload.failed", { name, problem }))) remove(id);
    if (!(error instanceof CallError || error instanceof TypeError)) throw error;
  }
}

/**
 * Replaces the place wherever it is by now. With a problem, it says whether that is shown with a message that
 * has waited; without one, whether the place was found.
 */
function end(place: string, to: Conversation, by: string, problem?: string): boolean {
  const { outbox } = state;
  const isMessage = problem === undefined ? outbox.fillFile(place, by) : outbox.failFile(place, problem);
  if (isMessage) return true;
  const isHeld = endHeld(place, by, problem);
  const isText = replaceInText(to, place, by);
  return problem === undefined && (isHeld || isText);
}

function endHeld(place: string, by: string, problem: string | undefined): boolean {
  for (const upload of held) {
    if (!upload.places.includes(place)) continue;
    upload.text = upload.text.replace(place, () => by);
    upload.places = upload.places.filter((each) => each !== place);
    if (upload.places.length > 0 && problem === undefined) return true;
    held.delete(upload);
    upload.end(problem === undefined ? upload.text : undefined);
    return true;
  }
  return false;
}

/** Another file of the same name gets a number. */
function freePlace(name: string): string {
  const taken = livePlaces();
  for (let number = 1; ; number++) {
    const place = placeOfFile(number === 1 ? name : `${name} (${number})`);
    if (!taken.includes(place)) return place;
  }
}

function change(id: number, fields: Partial<Upload>): void {
  setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
}

function remove(id: number): void {
  setUploads((all) => all.filter((upload) => upload.id !== id));
}
