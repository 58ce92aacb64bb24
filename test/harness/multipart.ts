/** Bodies of the type `multipart/form-data`, also such as no HTTP library would send. */

import type { Endpoint } from "../../api/endpoint.ts";

export interface Part {
  name: string;
  content: Buffer | string;
  /** Makes it a file. */
  fileName?: string;
  contentType?: string;
}

export const BOUNDARY = "----parleyTestBoundary";
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

export function multipartBody(parts: readonly Part[]): Buffer {
  return Buffer.concat([...parts.map(encodePart), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** The beginning of a part, up to its content. */
export function partHead({ name, fileName, contentType }: Omit<Part, "content">): string {
  const file = fileName === undefined ? "" : `; filename="${fileName}"`;
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`;
}

function encodePart({ content, ...head }: Part): Buffer {
  return Buffer.concat([Buffer.from(partHead(head)), Buffer.from(content), Buffer.from("\r\n")]);
}

/** The body of a sample call: a form, with a file if the endpoint takes some. */
export function sampleBody(
  { files }: Pick<Endpoint, "files">,
  form: URLSearchParams,
): { headers: { "content-type": string }; payload: Buffer | string } {
  if (!files) {
    const type = "application/x-www-form-urlencoded";
    return { headers: { "content-type": type }, payload: form.toString() };
  }
  const { name: fileName, contentType, base64 } = files.sample;
  const file = { name: "file", fileName, contentType, content: Buffer.from(base64, "base64") };
  const fields = [...form].map(([name, content]) => ({ name, content }));
  return { headers: { "content-type": MULTIPART }, payload: multipartBody([...fields, file]) };
}
