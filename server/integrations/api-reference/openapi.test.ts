import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { type Endpoint, endpoint, inPath, optional, required } from "../../../api/endpoint.ts";
import { errors } from "../../../api/errors.ts";
import { endpoints } from "../../../api/index.ts";
import { SchemaWriter } from "./json-schema.ts";
import { openApiDocument } from "./openapi.ts";
import { subjectDescriptions } from "./tags.ts";

const described = { description: "A field." };
const named = Type.Object({ id: Type.Integer(described) }, { $id: "Plant", description: "A plant." });
const nested = Type.Cyclic(
  { Garden: Type.Union([Type.Integer(), Type.Object({ beds: Type.Array(Type.Ref("Garden"), described) })]) },
  "Garden",
);

const list = endpoint({
  name: "listPlants",
  subject: "Plants",
  method: "GET",
  path: "/gardens/{garden_id}/plants",
  access: "spectator",
  summary: "List plants",
  description: "All plants.",
  parameters: {
    garden_id: inPath(Type.Integer(), { description: "The garden." }),
    ids: optional(Type.Array(Type.Integer()), { description: "Only these." }),
    limit: optional(Type.Integer(), { description: "At most so many.", aliases: ["count"] }),
  },
  reply: {
    plants: Type.Array(named, described),
    paths: Type.Array(Type.Tuple([Type.String(), Type.Integer()]), described),
    garden: Type.Unsafe<unknown>(nested),
  },
  moreFields: "Whatever grows.",
  errors: [errors.badNarrow],
  emits: ["reaction/add", "reaction/remove"],
  example: {
    parameters: { garden_id: 1, ids: [2] },
    reply: { plants: [{ id: 2 }], paths: [["a", 1]], garden: { beds: [1, { beds: [] }] } },
  },
  sample: () => ({ garden_id: 1 }),
});

const plant = endpoint({
  name: "plant",
  subject: "Plants",
  method: "POST",
  path: "/gardens/{garden_id}/plants",
  access: "member",
  summary: "Plant something",
  description: "Puts a plant into the earth.",
  parameters: {
    garden_id: inPath(Type.Integer(), { description: "The garden." }),
    to: required(Type.Union([Type.String(), Type.Integer()]), { description: "Which bed." }),
    name: required(Type.String(), { description: "What it is called." }),
    care: optional(Type.Object({ water: Type.Boolean(described) }), { description: "What it needs." }),
  },
  reply: {},
  errors: [],
  emits: [],
  example: { parameters: { garden_id: 1, to: "north", name: "Fern", care: { water: true } }, reply: {} },
  sample: () => ({ garden_id: 1, to: 1, name: "Fern" }),
  developmentOnly: true,
});

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON, read here as a program would.
const document = openApiDocument([list, plant]) as any;
const { get, post } = document.paths["/gardens/{garden_id}/plants"];

describe("the parameters of an operation", () => {
  test("are in the query for a GET, lists as JSON, and in the path for path parameters", () => {
    expect(get.requestBody).toBeUndefined();
    const places = get.parameters.map(
      (parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`,
    );
    expect(places).toEqual(["path garden_id", "query ids", "query limit"]);
    expect(get.parameters[1].content["application/json"].schema).toEqual({
      type: "array",
      items: { type: "integer" },
    });
    expect(get.parameters[1].content["application/json"].example).toEqual([2]);
    expect(get.parameters[2].schema).toEqual({ type: "integer" });
    expect(get.parameters[2].description).toBe("At most so many. Also accepted as `count`.");
  });

  test("are members of a JSON object or form fields for other methods, with JSON in fields marked", () => {
    expect(post.parameters.map((parameter: { name: string }) => parameter.name)).toEqual(["garden_id"]);
    const { "application/json": object, "application/x-www-form-urlencoded": form } =
      post.requestBody.content;
    expect(object).toEqual({ schema: form.schema, example: form.example });
    // A viewer offers the first one, and sends its example as it is.
    expect(Object.keys(post.requestBody.content)[0]).toBe("application/json");
    expect(Object.keys(form.schema.properties)).toEqual(["to", "name", "care"]);
    expect(form.schema.required).toEqual(["to", "name"]);
    const json = { contentType: "application/json" };
    expect(form.encoding).toEqual({ to: json, care: json });
    expect(form.example).toEqual({ to: "north", name: "Fern", care: { water: true } });
  });
});

describe("an operation also has", () => {
  test("its name, its subject and who may call it", () => {
    expect(get).toMatchObject({ operationId: "listPlants", tags: ["Plants"], "x-access": "spectator" });
    expect(get.security).toEqual([{ apiKey: [] }, {}]);
    expect(post.security).toEqual([{ apiKey: [] }]);
    expect(post.description).toContain("not guests");
    expect(post.description).toContain("On development servers only.");
    expect(document.tags).toEqual([{ name: "Plants" }]);
  });

  test("its own errors with an example, and what all share by reference", () => {
    const own = get.responses[400];
    expect(own.description).toContain("BAD_NARROW");
    expect(own.content["application/json"].examples.badNarrow.value).toEqual({
      result: "error",
      msg: "Invalid narrow operator: unknown operator colour",
      code: "BAD_NARROW",
      desc: "unknown operator colour",
    });
    const shared = "401-UNAUTHORIZED-REALM_DEACTIVATED";
    expect(get.responses[401].$ref).toBe(`#/components/responses/${shared}`);
    expect(document.components.responses[shared].description).toContain("`REALM_DEACTIVATED`");
  });

  test("the headers of the rate limit in every response, and when to try again", () => {
    const { headers } = document.components;
    const refused = document.components.responses["429-RATE_LIMIT_HIT"];
    for (const response of [get.responses[200], get.responses[400], refused]) {
      for (const name of ["Limit", "Remaining", "Reset"])
        expect(response.headers[`X-RateLimit-${name}`].$ref).toBe(`#/components/headers/X-RateLimit-${name}`);
    }
    expect(refused.headers["Retry-After"].$ref).toBe("#/components/headers/Retry-After");
    expect(Object.keys(headers)).toHaveLength(4);
    expect(document.info.description).toContain("200 calls a minute");
  });
});

test("a named schema is written once and referred to, even by itself", () => {
  const { plants, garden } = get.responses[200].content["application/json"].schema.properties;
  expect(plants.items).toEqual({ $ref: "#/components/schemas/Plant" });
  expect(garden).toEqual({ $ref: "#/components/schemas/Garden" });
  const beds = document.components.schemas.Garden.anyOf[1].properties.beds;
  expect(beds.items).toEqual({ $ref: "#/components/schemas/Garden" });
});

test("a choice of constants is an enumeration, also inside another choice", () => {
  const writer = new SchemaWriter();
  const sizes = Type.Union([Type.Literal("small"), Type.Literal("large")]);
  expect(writer.write(sizes)).toEqual({ type: "string", enum: ["small", "large"] });
  expect(writer.write(Type.Union([Type.Literal(1), Type.Literal(2)]))).toEqual({
    type: "integer",
    enum: [1, 2],
  });
  expect(writer.write(Type.Union([Type.Integer(), sizes]))).toEqual({
    anyOf: [{ type: "integer" }, { type: "string", enum: ["small", "large"] }],
  });
  const told = Type.Union([Type.Literal("a", { description: "One." }), Type.Literal("b")]);
  expect(writer.write(told)).toEqual({
    anyOf: [
      { type: "string", const: "a", description: "One." },
      { type: "string", const: "b" },
    ],
  });
});

test("a tuple is written as JSON Schema 2020-12 does", () => {
  const { paths } = get.responses[200].content["application/json"].schema.properties;
  expect(paths.items.prefixItems).toEqual([{ type: "string" }, { type: "integer" }]);
  expect(paths.items.items).toBe(false);
  expect(paths.items.additionalItems).toBeUndefined();
});

// biome-ignore lint/suspicious/noExplicitAny: plain JSON.
function allResponses({ responses }: any): any[] {
  return Object.values(responses).filter((response) => !("$ref" in (response as object)));
}

test("every subject of the contract has a description", () => {
  const { tags } = openApiDocument(endpoints) as { tags: { name: string; description?: string }[] };
  expect(tags.filter(({ description }) => !description)).toEqual([]);
  expect(tags.map(({ name }) => name).sort()).toEqual(Object.keys(subjectDescriptions).sort());
});

describe.each([
  ["the toys", [list, plant] as readonly unknown[] as readonly Endpoint[]],
  ["the whole contract", endpoints],
])("the document of %s", (_, declared) => {
  // biome-ignore lint/suspicious/noExplicitAny: plain JSON.
  const whole = JSON.parse(JSON.stringify(openApiDocument(declared))) as any;
  // biome-ignore lint/suspicious/noExplicitAny: plain JSON.
  const operations = Object.values(whole.paths).flatMap((item) => Object.values(item as any)) as any[];

  test("has every endpoint", () => {
    expect(operations.map((operation) => operation.operationId).sort()).toEqual(
      declared.map(({ name }) => name).sort(),
    );
  });

  test("has example responses that match its own schemas", () => {
    for (const { operationId, responses } of operations) {
      const { schema, example } = responses[200].content["application/json"];
      const validator = Compile({ ...schema, components: whole.components });
      expect(validator.Errors(example), operationId).toEqual([]);
      expect(validator.Check({ ...example, result: "failure" }), operationId).toBe(false);
    }
  });

  test("has example errors of the declared types, without gaps", () => {
    const schema = { ...whole.components.schemas.Error, additionalProperties: false };
    const validator = Compile(schema);
    const all = [...Object.values(whole.components.responses), ...operations.flatMap(allResponses)];
    // biome-ignore lint/suspicious/noExplicitAny: plain JSON.
    for (const { description, content } of all as any[]) {
      expect(description).toMatch(/^[A-Z].*\./);
      for (const { value } of Object.values(content["application/json"].examples ?? {}) as {
        value: unknown;
      }[]) {
        expect(validator.Errors(value), JSON.stringify(value)).toEqual([]);
        expect(JSON.stringify(value)).not.toMatch(/<|undefined/);
      }
    }
  });

  test("has no dangling reference", () => {
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g)].map(
      (match) => match[1] ?? "",
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const steps = reference.replace("#/", "").split("/").map(decodeURIComponent);
      expect(
        steps.reduce((node, step) => node?.[step], whole),
        reference,
      ).toBeDefined();
    }
  });
});

test("an endpoint that takes files is documented as a multipart form with a binary part", () => {
  const files = { maxCount: 1, maxBytes: 5 * 2 ** 20, description: "A picture.", sample: sampleFile };
  const send = endpoint({
    ...list,
    name: "sendPlant",
    method: "POST",
    path: "/plants",
    parameters: { name: plantName },
    example: { parameters: { name: "rose" }, reply: list.example.reply },
    sample: () => ({ name: "rose" }),
    files,
  });
  const document = openApiDocument([send]) as unknown as Paths;
  const { content, required } = document.paths["/plants"]?.post?.requestBody ?? {};
  expect(required).toBe(true);
  expect(Object.keys(content ?? {})).toEqual(["multipart/form-data"]);
  expect(content?.["multipart/form-data"]?.schema).toEqual({
    type: "object",
    properties: {
      name: { type: "string", description: "Its name." },
      file: {
        type: "string",
        format: "binary",
        description: "A picture. At most 5 MiB. The field can have any name.",
      },
    },
    required: ["name"],
  });
});

const sampleFile = { name: "plant.png", contentType: "image/png", base64: "" };
const plantName = required(Type.String(), { description: "Its name." });

interface Paths {
  paths: Record<
    string,
    { post?: { requestBody?: { required: boolean; content: Record<string, { schema: unknown }> } } }
  >;
}
