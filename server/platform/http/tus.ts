/**
 * Files in several requests, by the protocol tus 1.0 with its extensions `creation`, `termination` and
 * `expiration`. A client that was cut off asks how much has arrived and sends the rest.
 *
 * A request has the path of a call: host, credentials, limits, body. Lengths that are told later, several
 * parts at a time and other methods in a header are not taken.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyInstance, HTTPMethods } from "fastify";
import { ApiError, errors } from "../../../api/errors.ts";
import { ForeignAnswer } from "./answer.ts";
import type { Api } from "./api.ts";
import { MAX_ANONYMOUS_BODY_BYTES } from "./body.ts";
import type { BodyStream } from "./body-stream.ts";
import type { Caller } from "./caller.ts";
import { displayName } from "./file-name.ts";
import type { Call } from "./handler.ts";
import type { CallStats } from "./http-stats.ts";
import type { Operation } from "./operation.ts";
import { API_ROOT } from "./router.ts";
import { unreachable } from "./unreachable.ts";

const PATH = `${API_ROOT}/tus`;
const VERSION = "1.0.0";
const VERSION_HEADERS = ["Tus-Resumable", VERSION];
const CHUNK_TYPE = "application/offset+octet-stream";
/** A name of 1,000 characters fits. */
const MAX_METADATA = 8192;

/** How far an upload is. */
export interface PartialUpload {
  id: string;
  fileName: string;
  /** The length of the whole file. */
  length: number;
  /** The bytes that have arrived. */
  offset: number;
  expiresAt: Date;
  /** The fields of the response that ends it; undefined until the whole file is there. */
  outcome: object | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: who makes it knows the viewer's type.
type Viewer = any;

/** What keeps the uploads. Each function throws the error for the client. */
export interface ResumableUploads {
  maxBytes: number;
  create(viewer: Viewer, file: { fileName: string; length: number }): Promise<PartialUpload>;
  find(viewer: Viewer, id: string): Promise<PartialUpload>;
  append(viewer: Viewer, id: string, offset: number, body: BodyStream): Promise<PartialUpload>;
  remove(viewer: Viewer, id: string): Promise<void>;
}

type TusCall = Call<{ id: string; raw: IncomingMessage }, Caller>;
type Answer = (call: TusCall, uploads: ResumableUploads) => Promise<ForeignAnswer>;

interface Method {
  method: HTTPMethods;
  name: string;
  answer: Answer;
}

const forAll: readonly Method[] = [
  { method: "OPTIONS", name: "describeTus", answer: async (_call, uploads) => describe(uploads) },
  { method: "POST", name: "createPartialUpload", answer: create },
];
const forOne: readonly Method[] = [
  { method: "OPTIONS", name: "describeTus", answer: async (_call, uploads) => describe(uploads) },
  { method: "HEAD", name: "findPartialUpload", answer: find },
  { method: "PATCH", name: "appendToUpload", answer: append },
  { method: "DELETE", name: "removePartialUpload", answer: remove },
];

export function addTus(app: FastifyInstance, api: Api, uploads: ResumableUploads): void {
  // COMPAT: the web app of other servers calls the address with a slash at its end.
  for (const url of [PATH, `${PATH}/`]) addMethods(app, api, uploads, url, forAll);
  addMethods(app, api, uploads, `${PATH}/:id`, forOne);
}

function addMethods(
  app: FastifyInstance,
  api: Api,
  uploads: ResumableUploads,
  url: string,
  methods: readonly Method[],
): void {
  for (const each of methods) {
    const stats = api.stats.callsOf(each.name);
    app.route({
      method: each.method,
      url,
      onRequest: (request, reply) => {
        api.serve(operationOf(each, request.raw, uploads, stats), request, reply);
      },
      handler: unreachable,
    });
  }
  api.pathMethods.add(
    url,
    methods.map(({ method }) => method as string),
  );
}

function operationOf(
  { method, name, answer }: Method,
  raw: IncomingMessage,
  uploads: ResumableUploads,
  stats: CallStats,
): Operation {
  const isDescription = method === "OPTIONS";
  return {
    name,
    access: isDescription ? "anyone" : "user",
    decoder: {
      decode: (path) => ({ params: { id: `${path?.id}`, raw }, unsupported: undefined, client: undefined }),
    },
    handle: async (call: TusCall) => {
      if (!isDescription && raw.headers["tus-resumable"] !== VERSION) throw new ApiError(errors.tusVersion);
      return answer(call, uploads);
    },
    isForWriteOnly: false,
    isForSecondStepSetup: false,
    holds: false,
    compresses: false,
    isStoredFile: false,
    files: undefined,
    isOff: false,
    outlivesOrganization: false,
    isCheckedAtCommit: false,
    changes: method !== "HEAD" && !isDescription,
    readsRawBody: false,
    streamsBody: method === "PATCH",
    takesKeyInQuery: false,
    takesBearer: false,
    takesCookie: true,
    startsSession: false,
    maxBodyBytes: MAX_ANONYMOUS_BODY_BYTES,
    protocolHeaders: VERSION_HEADERS,
    stats,
  };
}

function describe({ maxBytes }: ResumableUploads): ForeignAnswer {
  const extensions = ["Tus-Extension", "creation,termination,expiration"];
  return new ForeignAnswer(204, [], ["Tus-Version", VERSION, ...extensions, "Tus-Max-Size", `${maxBytes}`]);
}

async function create({ viewer, params: { raw } }: TusCall, uploads: ResumableUploads) {
  const length = numberIn(raw, "upload-length");
  const upload = await uploads.create(viewer, { fileName: fileNameIn(raw), length });
  const location = ["Location", `${PATH}/${upload.id}`, "Upload-Offset", `${upload.offset}`];
  return new ForeignAnswer(201, bodyOf(upload), [...location, ...expiryOf(upload)]);
}

async function find({ viewer, params: { id } }: TusCall, uploads: ResumableUploads) {
  const upload = await uploads.find(viewer, id);
  const { offset, length, fileName } = upload;
  return new ForeignAnswer(
    200,
    [],
    [
      ...["Upload-Offset", `${offset}`, "Upload-Length", `${length}`],
      ...["Upload-Metadata", `filename ${Buffer.from(fileName).toString("base64")}`],
      ...expiryOf(upload),
    ],
  );
}

async function append({ viewer, params: { id, raw }, stream }: TusCall, uploads: ResumableUploads) {
  if (contentTypeOf(raw) !== CHUNK_TYPE) throw new ApiError(errors.tusContentType);
  const offset = numberIn(raw, "upload-offset");
  const upload = await uploads.append(viewer, id, offset, stream as BodyStream);
  const headers = ["Upload-Offset", `${upload.offset}`, ...expiryOf(upload)];
  // COMPAT: clients learn the file's address from the body of the last response, which therefore has one.
  return new ForeignAnswer(upload.outcome ? 200 : 204, bodyOf(upload), headers);
}

async function remove({ viewer, params: { id } }: TusCall, uploads: ResumableUploads) {
  await uploads.remove(viewer, id);
  return new ForeignAnswer(204, []);
}

function bodyOf({ outcome }: PartialUpload): string | readonly Buffer[] {
  return outcome ? JSON.stringify({ result: "success", msg: "", ...outcome }) : [];
}

function expiryOf({ expiresAt }: PartialUpload): string[] {
  return ["Upload-Expires", expiresAt.toUTCString()];
}

function numberIn({ headers }: IncomingMessage, name: "upload-length" | "upload-offset"): number {
  const text = headers[name];
  if (typeof text !== "string" || !/^\d{1,15}$/.test(text))
    throw new ApiError(errors.invalidTusHeader, { header: name });
  return Number(text);
}

/** Types that the API does not know are removed from the headers before, see `normalizeContentType`. */
function contentTypeOf({ rawHeaders }: IncomingMessage): string | undefined {
  const index = rawHeaders.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === "content-type");
  return index < 0 ? undefined : rawHeaders[index + 1]?.trim().toLowerCase();
}

/** The name of the file for people. What else the client says of the file counts nothing. */
function fileNameIn({ headers }: IncomingMessage): string {
  const text = headers["upload-metadata"] ?? "";
  if (typeof text !== "string" || text.length > MAX_METADATA)
    throw new ApiError(errors.invalidTusHeader, { header: "upload-metadata" });
  const values = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [key = "", value = "", ...rest] = pair.trim().split(" ");
    if (rest.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw new ApiError(errors.invalidTusHeader, { header: "upload-metadata" });
    values.set(key, Buffer.from(value, "base64").toString());
  }
  return displayName(values.get("filename") ?? values.get("name") ?? "");
}
