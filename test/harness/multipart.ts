/** Bodies of the type `multipart/form-data`, also such as no HTTP library would send. */

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
