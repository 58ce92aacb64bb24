/**
 * The form in which an integration with another program is declared: which events it knows, what they become,
 * and how to set it up. The endpoint, the pages and the tests read these declarations.
 * `docs/howto/add-an-integration.md` walks through one.
 */
import { type StaticEncode, type TSchema, Type } from "typebox";
import { Compile } from "typebox/compile";
import { ApiError, errors } from "../../../../api/errors.ts";

/** What a program has sent. */
export interface Delivery {
  payload: unknown;
  header(name: string): string | undefined;
}

/** A message that an event becomes. */
export interface IncomingMessage {
  /** undefined: the integration's title. */
  topic: string | undefined;
  content: string;
}

/** What the address may say about the message. */
export interface MessageOptions {
  template?: string | undefined;
}

/** An event that an integration knows. */
export interface IntegrationEvent {
  description: string;
  /** "unreadable": the payload is not one of this event. undefined: there is nothing to say. */
  read(payload: unknown, options: MessageOptions): IncomingMessage | "unreadable" | undefined;
}

interface EventForm<S extends TSchema> {
  description: string;
  /** The fields that are read. Others are ignored. */
  payload: S;
  topic?(payload: StaticEncode<S>): string;
  /** Made of the pieces of `outside-text.ts`. undefined: nothing to say. */
  message(payload: StaticEncode<S>, options: MessageOptions): string | undefined;
}

export function event<S extends TSchema>(form: EventForm<S>): IntegrationEvent {
  // Compiled when the first such event comes: there are many, and most are never used.
  const compile = () => Compile(form.payload);
  let validator: ReturnType<typeof compile> | undefined;
  return {
    description: form.description,
    read(payload, options) {
      validator ??= Compile(form.payload);
      if (!validator.Check(payload)) return "unreadable";
      const content = form.message(payload, options);
      return content === undefined ? undefined : { topic: form.topic?.(payload), content };
    },
  };
}

/** How a program proves that it knows the secret in the address. */
export interface Signature {
  /** Those that come must all be right, and one must come. */
  headers: readonly string[];
  /** `hmac-sha256`: of the body, in hexadecimal digits. `token`: the secret itself. */
  kind: "hmac-sha256" | "token";
  /** What stands before the digits. */
  prefix?: string;
}

export interface Integration {
  /** The last part of the address. */
  name: string;
  title: string;
  /** What to do in the other program, in steps. The first one is given the address. */
  setup: readonly string[];
  events: Readonly<Record<string, IntegrationEvent>>;
  /** The name of the event, also of one that is not known. */
  eventOf(delivery: Delivery): string;
  /** undefined: the program signs nothing. */
  signature?: Signature;
  /** Headers that name a delivery, with the same value when it is repeated. The first that comes counts. */
  deliveryHeaders?: readonly string[];
  /** Fields of the reply that the program looks for. */
  reply?: { ok: true };
}

/** Names are those of addresses and of files. */
export function integration(declaration: Integration): Integration {
  return declaration;
}

/** The value of a header that must come. */
export function requiredHeader({ header }: Delivery, ...names: readonly [string, ...string[]]): string {
  const value = names.map((name) => header(name)).find((one) => one !== undefined);
  if (value === undefined) throw new ApiError(errors.missingEventHeader, { header: names[0] });
  return value;
}

/** The parts that are not empty, with a dot between them. */
export function eventName(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(".");
}

/** A field that may be missing or null. */
export function maybe<S extends TSchema>(schema: S) {
  return Type.Optional(Type.Union([schema, Type.Null()]));
}
