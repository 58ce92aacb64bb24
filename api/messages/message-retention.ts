import { Type } from "typebox";

/** How long a channel keeps its messages, as requests give it: days, or a word (spec E2, E3). */
export const messageRetention = Type.Union([
  Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  Type.Literal("realm_default"),
  Type.Literal("unlimited"),
]);
