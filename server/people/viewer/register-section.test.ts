import { Type } from "typebox";
import { expect, test } from "vitest";
import { registerSection } from "../../../api/register-section.ts";
import { RawJson } from "../../platform/std/raw-json.ts";
import { type Snapshot, sectionOf } from "./register-section.ts";

const toys = registerSection({
  fields: {
    toys: Type.Array(Type.Integer(), { description: "The toys." }),
    name: Type.String({ description: "Their name." }),
  },
});
const snapshot = { wantsAll: true } as Snapshot;

test("a section answers some of its fields, as values or as JSON that is written already", async () => {
  const section = sectionOf(toys, async ({ wantsAll }) => ({
    ...(wantsAll && { toys: new RawJson("[1,2]") }),
    ...(!wantsAll && { name: "blocks" }),
  }));
  expect(await section(snapshot)).toEqual({ toys: new RawJson("[1,2]") });
});

test("a field that is undeclared, or of another type than declared, does not compile", () => {
  // @ts-expect-error `toy` is not declared.
  const undeclared = sectionOf(toys, ({ wantsAll }) => ({ ...(wantsAll && { toy: [1] }) }));
  // @ts-expect-error `name` is a text.
  const mistyped = sectionOf(toys, async () => ({ toys: [1], name: 2 }));
  expect([undeclared, mistyped]).toHaveLength(2);
});
