/** The words of the contract that several subjects share. */
import { type TProperties, type TSchema, Type } from "typebox";
import { roles } from "./roles.ts";

export const userRole = Type.Enum(Object.values(roles), {
  description: Object.entries(roles)
    .map(([name, number]) => `${number} ${name}`)
    .join(", "),
});

export function nullable<S extends TSchema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** Fields that an event or a reply may hold, each of them only sometimes. */
export function someOf(fields: TProperties) {
  return Type.Object(
    Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])),
  );
}

/** The same schema with a description of what it is here. */
export function described<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, description };
}
