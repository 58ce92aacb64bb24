import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { type Endpoint, endpoint, inPath, optional, required } from "../../api/endpoint.ts";
import { errors } from "../../api/errors.ts";
import { type EventDeclaration, event } from "../../api/event.ts";
import { duplicateProblems, endpointProblems, eventProblems } from "./problems.ts";

const good = endpoint({
  name: "waterPlant",
  subject: "Plants",
  method: "POST",
  path: "/plants/{plant_id}/water",
  access: "user",
  summary: "Water a plant",
  description: "Gives a plant water.",
  parameters: {
    plant_id: inPath(Type.Integer(), { description: "The plant." }),
    litres: required(Type.Number({ minimum: 0 }), { description: "How much." }),
    note: optional(Type.Object({ text: Type.String({ description: "What to note." }) }), {
      description: "A note.",
    }),
  },
  reply: {
    moisture: Type.Array(Type.Object({ depth: Type.Integer({ description: "In cm." }) }), {
      description: "By depth.",
    }),
  },
  errors: [errors.invalidMessage],
  emits: ["reaction/add"],
  example: { parameters: { plant_id: 1, litres: 2 }, reply: { moisture: [{ depth: 5 }] } },
  sample: (ids) => ({ plant_id: ids.userId, litres: 1 }),
});

function changed(change: Partial<Endpoint>): string[] {
  return endpointProblems({ ...(good as Endpoint), ...change });
}

test("a declaration that keeps every rule has no problems", () => {
  expect(endpointProblems(good)).toEqual([]);
});

describe("a declaration that breaks a rule gets a sentence about the problem", () => {
  const undescribed = {
    moisture: Type.Array(Type.Object({ depth: Type.Integer() }), { description: "By depth." }),
  };
  test.each<[string, Partial<Endpoint>, string]>([
    ["no description", { description: " " }, "it has no description"],
    ["a summary that is a sentence", { summary: "Water it." }, "the summary is a phrase without a full stop"],
    ["a nested field without description", { reply: undescribed }, "reply.moisture.depth has no description"],
    [
      "a path parameter that is not declared",
      { path: "/plants/{plant_id}/{pot}" },
      "the path names {pot}, which is not declared with inPath",
    ],
    ["a path without its parameter", { path: "/plants" }, "parameter plant_id is not in the path"],
    [
      "an error from elsewhere",
      { errors: [{ ...errors.invalidMessage, code: "ODD" }] },
      "error ODD is not in errors.ts",
    ],
    ["an event that is not declared", { emits: ["rain"] }, "emits names rain, which is not an event"],
    [
      "an event that is named twice",
      { emits: ["reaction/add", "reaction/add"] },
      "emits names reaction/add twice",
    ],
    [
      "an example with a field too many",
      { example: { parameters: { plant_id: 1, litres: 2 }, reply: { moisture: [{ depth: 5, width: 2 }] } } },
      "example.reply: moisture/0/width is not declared",
    ],
    [
      "an example with an unknown parameter",
      { example: { parameters: { plant_id: 1, litres: 2, haste: true }, reply: { moisture: [] } } },
      "example.parameters: haste is not declared",
    ],
    [
      "a sample call that is not valid",
      { sample: () => ({ plant_id: 1 }) },
      "sample: the whole: litres missing",
    ],
  ])("%s", (_, change, problem) => {
    expect(changed(change)).toContain(problem);
  });

  test("a name that two parameters have", () => {
    const note = optional(Type.String(), { description: "A note.", aliases: ["litres"] });
    expect(changed({ parameters: { ...good.parameters, note } })).toContain(
      "two parameters answer to litres",
    );
  });

  test("an address that differs only by the name of a path parameter", () => {
    const other = { ...(good as Endpoint), name: "soak", path: "/plants/{id}/water" };
    expect(duplicateProblems([good as Endpoint, other], [])).toEqual([
      "POST /plants/{}/water is declared twice",
    ]);
  });

  test("but not a number and a text at the end of an address, which the router tells apart", () => {
    const ending = (name: string, schema: TSchema) =>
      ({
        ...good,
        name,
        path: `/plants/{${name}}`,
        parameters: { [name]: inPath(schema, { description: "The plant." }) },
      }) as Endpoint;
    const [byId, byName] = [ending("id", Type.Integer()), ending("name", Type.String())];
    expect(duplicateProblems([byId, byName], [])).toEqual([]);
    expect(duplicateProblems([byId, { ...byId, name: "other" }], [])).toEqual([
      "POST /plants/{number} is declared twice",
    ]);
  });

  test("an event whose example is not of its shape", () => {
    const payload = { litres: Type.Number({ description: "How much." }) };
    const plant = event({
      type: "plant",
      op: "water",
      description: "Watered.",
      payload,
      example: { litres: 1 },
    });
    expect(eventProblems(plant)).toEqual([]);
    const wrong: EventDeclaration = { ...plant, example: { litres: "two" } };
    expect(eventProblems(wrong)).toEqual(["example: litres must be number"]);
  });
});
