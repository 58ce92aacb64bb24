/**
 * The form in which every endpoint is declared. A declaration is a value that many parts read: router,
 * parameter decoder, OpenAPI document, typed client, reference page and tests. So no fact about the wire is
 * written twice. `docs/howto/add-an-endpoint.md` walks through one.
 */
import { type Static, type TProperties, type TSchema, Type } from "typebox";
import type { Camel } from "./camel-case.ts";
import type { ErrorDeclaration } from "./error-declaration.ts";
import { type KeyProof, type Proof, takesProof } from "./proof.ts";

/**
 * How a parameter's text becomes a value (spec Conventions 2). `text` is used as received, and `json` is
 * parsed. `either` is parsed if it is JSON, and used as text otherwise.
 */
export type Encoding = "text" | "json" | "either";

export interface Parameter<S extends TSchema = TSchema, Required extends boolean = boolean> {
  schema: S;
  required: Required;
  encoding: Encoding;
  inPath: boolean;
  description: string;
  /** Older names for the same parameter; two names in one request are an error. */
  aliases: readonly string[];
  /**
   * Which error an unreadable value gives: BAD_REQUEST as a rule, REQUEST_VARIABLE_INVALID where clients look
   * for it.
   */
  invalid: "bad-request" | "variable-invalid";
  /** Accepted without effect because older clients send it. It is not reported as unsupported. */
  ignored: boolean;
}

interface ParameterOptions {
  description: string;
  aliases?: readonly string[];
  encoding?: Encoding;
  invalid?: Parameter["invalid"];
  ignored?: boolean;
}

export function required<S extends TSchema>(schema: S, options: ParameterOptions): Parameter<S, true> {
  return parameter(schema, true, false, options);
}

export function optional<S extends TSchema>(schema: S, options: ParameterOptions): Parameter<S, false> {
  return parameter(schema, false, false, options);
}

export function inPath<S extends TSchema>(schema: S, options: ParameterOptions): Parameter<S, true> {
  return parameter(schema, true, true, options);
}

function parameter<S extends TSchema, R extends boolean>(
  schema: S,
  isRequired: R,
  path: boolean,
  options: ParameterOptions,
): Parameter<S, R> {
  return {
    schema,
    required: isRequired,
    encoding: options.encoding ?? encodingOf(schema),
    inPath: path,
    description: options.description,
    aliases: options.aliases ?? [],
    invalid: options.invalid ?? "bad-request",
    ignored: options.ignored ?? false,
  };
}

function encodingOf(schema: TSchema): Encoding {
  const {
    type,
    anyOf,
    enum: values,
    const: constant,
  } = schema as {
    type?: string;
    anyOf?: TSchema[];
    enum?: unknown[];
    const?: unknown;
  };
  if (type === "string" || typeof constant === "string") return "text";
  if (values) return values.every((value) => typeof value === "string") ? "text" : "json";
  if (!anyOf) return "json";
  const encodings = anyOf.map(encodingOf);
  if (encodings.every((encoding) => encoding === "text")) return "text";
  return encodings.some((encoding) => encoding !== "json") ? "either" : "json";
}

export type Parameters = Record<string, Parameter>;

/** What a handler receives: the wire's names in camelCase, made mechanically. */
export type HandlerParameters<P extends Parameters> = {
  [K in keyof P as P[K]["required"] extends true ? Camel<K & string> : never]: Static<P[K]["schema"]>;
} & {
  [K in keyof P as P[K]["required"] extends true ? never : Camel<K & string>]?: Static<P[K]["schema"]>;
};

/** What a caller sends: the wire's own names. */
export type CallerParameters<P extends Parameters> = {
  [K in keyof P as P[K]["required"] extends true ? K : never]: Static<P[K]["schema"]>;
} & {
  [K in keyof P as P[K]["required"] extends true ? never : K]?: Static<P[K]["schema"]>;
};

type OptionalKeys<R extends TProperties> = {
  [K in keyof R]: R[K] extends { "~optional": true } ? K : never;
}[keyof R];

export type Reply<R extends TProperties> = { [K in Exclude<keyof R, OptionalKeys<R>>]: Static<R[K]> } & {
  [K in OptionalKeys<R>]?: Static<R[K]>;
};

/**
 * Who may call (spec Authentication).
 * `anyone`: no credentials, and wrong ones are ignored. `spectator`: also without credentials, where the
 * organization's public access is on. `user`: any active person or bot. The rest name the least role.
 */
export type Access = "anyone" | "spectator" | "user" | "member" | "administrator" | "owner";

/** IDs of things that exist for the caller of a sample call; the test harness fills them in. */
export interface SampleIds {
  userId: number;
  userEmail: string;
  botId: number;
  channelId: number;
  channelName: string;
  topic: string;
  messageId: number;
  ownMessageId: number;
  /** The caller's own. */
  scheduledMessageId: number;
  reminderId: number;
  groupId: number;
  /** A group that can become a subgroup of the other one. */
  subgroupId: number;
  folderId: number;
  profileFieldId: number;
  /** All fields of the organization, in their order. */
  profileFieldIds: number[];
  /** A linkifier of the organization. */
  linkifierId: number;
  /** All of the organization's linkifiers. */
  linkifierIds: readonly number[];
  playgroundId: number;
  /** The name of a custom emoji. */
  emojiName: string;
  /** A domain whose email addresses are allowed. */
  domain: string;
  /** The caller's invitation of an address. */
  invitationId: number;
  /** The caller's invitation link. */
  invitationLinkId: number;
  /** A group of default channels, without channels. */
  defaultGroupId: number;
  /** A saved snippet of the caller. */
  snippetId: number;
  /** The fragment of a navigation view of the caller. */
  viewFragment: string;
  /** A session of the caller. */
  sessionId: number;
  /** A passkey of the caller, who has no other. */
  passkeyId: number;
  /** An identity of the caller at a sign-in provider. */
  identityId: number;
  /** A draft of the caller. */
  draftId: number;
  /** An export of the organization that is done. */
  exportId: number;
  /** An upload of the caller. */
  attachmentId: number;
  /** The path of an upload that the caller may read, after `/user_uploads/`. */
  uploadPath: string;
  queueId: string;
  lastEventId: number;
  /** A name that is not in use, different for each call: for what the call creates. */
  freshName: string;
}

/** A file as the sample call of an endpoint sends it. */
export interface SampleFile {
  name: string;
  contentType: string;
  base64: string;
}

/**
 * Files that come with the parameters, as parts of a `multipart/form-data` body with any field names. Only
 * callers with an account may send them.
 */
export interface FileLimits {
  /** How many one request can bring. The handler says how many it needs. */
  maxCount: number;
  /** The largest size of one file. */
  maxBytes: number;
}

export interface EndpointFiles extends FileLimits {
  description: string;
  /** Whether the call also makes sense without a file, so that its body may be of any form. */
  isOptional?: boolean;
  sample: SampleFile;
}

export interface Endpoint<
  P extends Parameters = Parameters,
  R extends TProperties = TProperties,
  A extends Access = Access,
> {
  /** camelCase, a verb and its object: the operation's id in OpenAPI and its name in the client. */
  name: string;
  /**
   * The heading and OpenAPI tag under which the reference lists it: the name of a file in api/, `Read state`
   * for `read-state.ts`.
   */
  subject: string;
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Relative to /api/v1, path parameters in braces (spec Conventions 1, 2). */
  path: string;
  access: A;
  /** Which of its calls need a fresh proof of who asks. Absent: none. */
  proof?: Proof;
  summary: string;
  description: string;
  parameters: P;
  reply: R;
  /**
   * The errors of its own; those that any endpoint can give (credentials, limits, parameters) are implied.
   */
  errors: readonly ErrorDeclaration[];
  /**
   * The events that it may cause, named as by `eventNameOf`; those that follow later, from a job, are not
   * among them. They are named by text because the files of events import those of endpoints.
   */
  emits: readonly string[];
  example: { parameters: CallerParameters<P>; reply: Reply<R> };
  /** A call that is valid for any caller who can see the things that it names. */
  sample(ids: SampleIds): CallerParameters<P>;
  /**
   * What else the reply may hold, where the fields depend on the request; otherwise no other field is
   * allowed.
   */
  moreFields?: string;
  /** Whether an incoming webhook bot may call it too: such a bot can only send messages. */
  isForWriteOnlyBots?: boolean;
  /** Whether people who must set up a second step before anything else may call it. */
  isForSecondStepSetup?: boolean;
  /** Available only in development mode; in production it returns an error. */
  developmentOnly?: boolean;
  /** Without it, files in a request are ignored. */
  files?: EndpointFiles;
  /** The handler sends the response later (a held poll) instead of returning it. */
  streams?: boolean;
  /**
   * The body is in another program's own format. The handler gets its bytes. Parameters are in the query, or
   * in a form that has the field `payload`.
   */
  rawBody?: boolean;
  /** A success sets the cookie of a session, so the call must come from a page of the organization. */
  startsSession?: boolean;
  /** An API key in the query, as `api_key`, is enough: for programs that know only an address to call. */
  keyInQuery?: boolean;
}

/** What every call takes that needs a fresh proof. */
export const freshProof = {
  password: optional(Type.String(), { description: "The caller's password, as a fresh proof." }),
  code: optional(Type.String({ maxLength: 100 }), {
    description: "A code of the caller's second step, or a recovery code, as a fresh proof.",
  }),
};

type WithProof<P> = P & Omit<typeof freshProof, keyof P>;

type ProvenDeclaration<P extends Parameters, R extends TProperties, A extends Access> = Omit<
  Endpoint<P, R, A>,
  "example"
> & {
  proof: Proof;
  example: { parameters: CallerParameters<WithProof<P>>; reply: Reply<R> };
};

/** A call that needs a fresh proof gets the parameters for it, unless it has its own of that name. */
export function endpoint<P extends Parameters, R extends TProperties, A extends Access>(
  declaration: Endpoint<P, R, A> & { proof: KeyProof },
): Endpoint<P, R, A>;
export function endpoint<P extends Parameters, R extends TProperties, A extends Access>(
  declaration: ProvenDeclaration<P, R, A>,
): Endpoint<WithProof<P>, R, A>;
export function endpoint<P extends Parameters, R extends TProperties, A extends Access>(
  declaration: Endpoint<P, R, A>,
): Endpoint<P, R, A>;
export function endpoint(declaration: Endpoint): Endpoint {
  const { proof, parameters } = declaration;
  return proof && takesProof(proof)
    ? { ...declaration, parameters: { ...freshProof, ...parameters } }
    : declaration;
}
