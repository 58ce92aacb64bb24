/**
 * The form in which every event is declared. Like an endpoint, a declaration is a value: the reference page,
 * the client's types and the tests read it. Several declarations may share a type and an op when the event
 * has several shapes; each then names its `variant`.
 */
import { type TObject, type TProperties, Type } from "typebox";
import type { Reply } from "./endpoint.ts";

export interface EventDeclaration<
  T extends string = string,
  O extends string | undefined = string | undefined,
  P extends TProperties = TProperties,
> {
  type: T;
  /** What happened to the thing that `type` names, where the type covers several changes. */
  op: O;
  /** Tells apart the shapes of one type and op, for readers: it is not on the wire. */
  variant: string | undefined;
  description: string;
  /** Every field but `id`, `type` and `op`. */
  payload: P;
  example: Reply<P>;
  /** The whole event as a queue delivers it: `id`, `type`, `op` and the payload, and nothing else. */
  schema: TObject;
}

/** A declared event as a client receives it. */
export type EventOf<D extends EventDeclaration> = { id: number } & PayloadOf<D>;

/** A declared event without its id, which is known only at the commit. */
export type PayloadOf<D extends EventDeclaration> =
  D extends EventDeclaration<infer T, infer O, infer P>
    ? { type: T } & (O extends string ? { op: O } : unknown) & Reply<P>
    : never;

/** What is stated of an event beside its type and op. */
export type FieldsOf<D extends EventDeclaration> =
  D extends EventDeclaration<string, string | undefined, infer P> ? Reply<P> : never;

/** `type/op`, or `type` where there is no op: how endpoints name what they emit. */
export function eventNameOf({ type, op }: { type: string; op?: unknown }): string {
  return op === undefined ? type : `${type}/${op}`;
}

export function event<
  T extends string,
  P extends TProperties,
  O extends string | undefined = undefined,
>(declaration: {
  type: T;
  op?: O;
  variant?: string;
  description: string;
  payload: P;
  example: Reply<P>;
}): EventDeclaration<T, O, P> {
  const { type, op, variant, description, payload, example } = declaration;
  const schema = Type.Object(
    {
      id: Type.Integer({
        description: "The event's ID, greater than the IDs of all earlier events in the queue.",
      }),
      type: Type.Literal(type),
      ...(op === undefined ? {} : { op: Type.Literal(op) }),
      ...payload,
    },
    { additionalProperties: false },
  );
  return { type, op: op as O, variant, description, payload, example, schema };
}
