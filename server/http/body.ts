import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { ApiError, errors } from "../../api/errors.ts";
import { type Fields, parseForm } from "./form.ts";
import { parseMultipart } from "./multipart.ts";

/** A message of 10,000 characters takes up to 90 kB when it is percent-encoded; long lists of ids take more. */
export const MAX_BODY_BYTES = 1024 * 1024;

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** Bodies become fields. A body of any other kind, JSON too, is read and counts as no parameters (as upstream). */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM, { parseAs: "string" }, (_request, text, done) => {
    done(...outcome(parseForm(text as string)));
  });
  app.addContentTypeParser(MULTIPART, { parseAs: "buffer" }, (request, body, done) => {
    done(...outcome(parseMultipart(body as Buffer, request.headers["content-type"] as string)));
  });
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, _body, done) => done(null, undefined));
}

/** A Content-Type that the framework could not read would end in its own error: only those that matter are left. */
export function tidyContentType(raw: IncomingMessage): void {
  const type = raw.headers["content-type"];
  if (type === undefined || type === FORM) return;
  const lower = type.trimStart().toLowerCase();
  if (lower.startsWith(FORM)) raw.headers["content-type"] = FORM;
  else if (!lower.startsWith(MULTIPART)) raw.headers["content-type"] = undefined;
}

function outcome(fields: Fields | undefined): [Error | null, Fields | undefined] {
  return fields ? [null, fields] : [new ApiError(errors.unreadableBody), undefined];
}
