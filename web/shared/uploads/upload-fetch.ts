/** `fetch` says nothing of how much of a body was sent, so uploads use the browser's older way. */
import type { Fetch } from "../../../client/connection.ts";

/** `onProgress` gets the part that was sent, from 0 to 1. */
export function fetchWithProgress(onProgress: (part: number) => void): Fetch {
  return (url, init) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method, url);
      for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () =>
        resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }));
      request.onerror = () => reject(new TypeError("The upload failed."));
      request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"));
      init.signal.addEventListener("abort", () => request.abort(), { once: true });
      request.send(init.body ?? null);
    });
}

function headersOf(request: XMLHttpRequest): Headers {
  const wait = request.getResponseHeader("retry-after");
  return new Headers(wait === null ? {} : { "retry-after": wait });
}
