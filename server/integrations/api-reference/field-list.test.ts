import { Type } from "typebox";
import { expect, test } from "vitest";
import { listFields, typeText } from "./field-list.ts";

test("nested fields follow the field that contains them, with their path", () => {
  const thing = Type.Object({
    name: Type.String({ description: "A name." }),
    parts: Type.Optional(
      Type.Array(Type.Object({ size: Type.Union([Type.Integer(), Type.Null()], { description: "In cm." }) })),
    ),
    byId: Type.Record(Type.String(), Type.Object({ seen: Type.Boolean() })),
  });
  expect(listFields(thing.properties, thing.required)).toEqual([
    { path: "name", type: "string", isOptional: false, description: "A name." },
    { path: "parts", type: "list of objects", isOptional: true, description: "" },
    { path: "parts[].size", type: "integer or null", isOptional: false, description: "In cm." },
    { path: "byId", type: "map to objects", isOptional: false, description: "" },
    { path: "byId{}.seen", type: "boolean", isOptional: false, description: "" },
  ]);
});

test.each([
  [Type.Literal("partial"), '"partial"'],
  [Type.Union([Type.Literal("a"), Type.Boolean()]), '"a" or boolean'],
  [Type.Array(Type.Union([Type.Integer(), Type.String()])), "list of (integer or string)"],
  [Type.Array(Type.Tuple([Type.String(), Type.Integer()])), "list of (list of string, then integer)"],
  [Type.Unknown(), "any value"],
])("types read as words: %#", (schema, text) => {
  expect(typeText(schema)).toBe(text);
});
