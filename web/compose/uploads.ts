/** Files on their way to the server. Each has a place in the text, which becomes its link. */
import { createSignal, onCleanup } from "solid-js";
import { uploadFile } from "../../api/uploads.ts";
import { CallError } from "../../client/call-error.ts";
import { Connection } from "../../client/connection.ts";
import { state } from "../app/state/state.ts";
import { t } from "../i18n/t.ts";
import { fetchWithProgress } from "./upload-fetch.ts";

const TIMEOUT_MS = 30 * 60_000;
const MIB = 2 ** 20;

export interface Upload {
  id: number;
  name: string;
  /** From 0 to 1. */
  sent: number;
  problem: string | undefined;
  /** Ends the upload, or takes its problem off the screen. */
  cancel(): void;
}

interface Text {
  insert(text: string): void;
  /** An empty text takes the place away. */
  replace(place: string, by: string): void;
}

let count = 0;

export function createUploads(text: Text) {
  const [uploads, setUploads] = createSignal<readonly Upload[]>([]);
  const change = (id: number, fields: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const remove = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));
  onCleanup(() => {
    for (const one of uploads()) one.cancel();
  });

  function add(files: readonly File[]): void {
    for (const file of files) void send(file);
  }

  async function send(file: File): Promise<void> {
    const id = ++count;
    const name = file.name.replace(/[[\]]/g, "_");
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
      remove(id);
    };
    const limit = Number(state.model.constants.max_file_upload_size_mib ?? 25);
    const problem = file.size > limit * MIB ? t("upload.tooLarge", { limit }) : undefined;
    setUploads((all) => [...all, { id, name, sent: 0, problem, cancel }]);
    if (problem !== undefined) return;
    const place = `[${t("upload.place", { name })}]()`;
    text.insert(place);
    const fetch = fetchWithProgress((sent) => change(id, { sent }));
    const connection = new Connection({ site: "", credentials: "cookie", fetch });
    const options = {
      ...{ signal: controller.signal, timeoutMs: TIMEOUT_MS, retries: 0 },
      files: [{ name: file.name, content: file }],
    };
    try {
      const { url } = await state.track(() => connection.call(uploadFile, {}, options));
      text.replace(place, `[${name}](${url})`);
      remove(id);
    } catch (error) {
      text.replace(place, "");
      if (controller.signal.aborted) return;
      if (!(error instanceof CallError)) throw error;
      change(id, { problem: error.message });
    }
  }

  return { uploads, add };
}
