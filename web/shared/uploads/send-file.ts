import { uploadFile } from "../../../api/content/uploads.ts";
import { Connection } from "../../../client/connection.ts";
import { state } from "../state/state.ts";
import { fetchWithProgress } from "./upload-fetch.ts";

const TIMEOUT_MS = 30 * 60_000;

/** Gives the file's address. `onProgress` gets the part that was sent, from 0 to 1. */
export async function sendFile(
  file: File,
  signal: AbortSignal,
  onProgress: (part: number) => void,
): Promise<string> {
  const fetch = fetchWithProgress(onProgress);
  const connection = new Connection({ site: "", credentials: "cookie", fetch });
  const files = [{ name: file.name, content: file }];
  const options = { signal, timeoutMs: TIMEOUT_MS, retries: 0, files };
  const { url } = await state.track(() => connection.call(uploadFile, {}, options));
  return url;
}
