import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { inPath, optional, required } from "../../../api/endpoint.ts";
import { ApiError } from "../../../api/errors.ts";
import { Decoder } from "./decode.ts";
import { type Fields, parseForm } from "./form.ts";
import { parseJsonBody } from "./json-body.ts";

const about = { description: "" };

const decoder = new Decoder({
  toy_id: inPath(Type.Integer(), about),
  content: required(Type.String(), about),
  topic: optional(Type.String({ maxLength: 5 }), { ...about, aliases: ["subject"] }),
  kind: optional(Type.Union([Type.Literal("direct"), Type.Literal("channel")]), about),
  to: optional(Type.Union([Type.String(), Type.Integer(), Type.Array(Type.Integer())]), about),
  partial: optional(Type.Union([Type.Boolean(), Type.Literal("partial")]), about),
  count: optional(Type.Integer({ minimum: 0, maximum: 100 }), about),
  is_soft: optional(Type.Boolean(), about),
  ids: optional(Type.Array(Type.Integer()), about),
  words: optional(Type.Array(Type.String()), about),
  flags: optional(Type.Record(Type.String(), Type.Boolean()), about),
  folder_id: optional(Type.Union([Type.Integer(), Type.Null()]), about),
  ratio: optional(Type.Number(), about),
  anything: optional(Type.Unknown(), { ...about, encoding: "json" }),
  num_before: optional(Type.Integer({ minimum: 0 }), { ...about, invalid: "variable-invalid" }),
  old_word: optional(Type.String(), { ...about, ignored: true }),
});

function fields(text: string): Fields {
  return parseForm(Buffer.from(text)) as Fields;
}

function decode(query: string, body?: string) {
  return decoder.decode(fields("toy_id=7"), fields(query), body === undefined ? undefined : fields(body));
}

function valueIn(name: string, text: string): unknown {
  return decode(`content=x&${text}`).params[name];
}

function decodeJson(body: string, query = "") {
  return decoder.decode(fields("toy_id=7"), fields(query), parseJsonBody(Buffer.from(body)));
}

function failureOf(act: () => unknown): Record<string, unknown> {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.declaration.status, code: error.declaration.code, ...error.fields };
  }
  throw new Error("nothing was refused");
}

describe("values", () => {
  test.each([
    ["content", "content=", ""],
    ["content", "content=null", "null"],
    ["content", "content=%22quoted%22", '"quoted"'],
    ["content", "content=a%2Bb+c%C3%A9", "a+b cé"],
    ["content", "content=%zz", "%zz"],
    ["kind", "kind=direct", "direct"],
    ["to", "to=general", "general"],
    ["to", "to=12", 12],
    ["to", "to=[1,2]", [1, 2]],
    ["to", "to=%22general%22", "general"],
    ["to", "to=[1,%22a%22]", '[1,"a"]'],
    ["to", "to=null", "null"],
    ["to", "to=ada@demo.test,ben@demo.test", "ada@demo.test,ben@demo.test"],
    ["to", "to=nobody", "nobody"],
    ["partial", "partial=true", true],
    ["partial", "partial=partial", "partial"],
    ["partial", "partial=%22partial%22", "partial"],
    ["partial", "partial=null", undefined],
    ["count", "count=0", 0],
    ["count", "count=1.0", 1],
    ["count", "count=1e2", 100],
    ["count", "count=null", undefined],
    ["isSoft", "is_soft=true", true],
    ["isSoft", "is_soft=false", false],
    ["ids", "ids=[]", []],
    ["ids", "ids=null", undefined],
    ["words", "words=[%22a%22]", ["a"]],
    ["flags", "flags={%22a%22:true}", { a: true }],
    ["folderId", "folder_id=null", null],
    ["folderId", "folder_id=3", 3],
    ["ratio", "ratio=0.5", 0.5],
  ])("%s from %s", (name, text, expected) => {
    expect(valueIn(name, text)).toEqual(expected);
  });

  test("a path parameter is decoded like any other", () => {
    expect(decode("content=x").params).toEqual({ toyId: 7, content: "x" });
  });
});

describe("refusals", () => {
  const missing = { status: 400, code: "REQUEST_VARIABLE_MISSING" };
  const bad = { status: 400, code: "BAD_REQUEST" };
  const invalid = { status: 400, code: "REQUEST_VARIABLE_INVALID", var_name: "num_before" };

  test.each([
    ["", { ...missing, var_name: "content" }],
    ["topic=a", { ...missing, var_name: "content" }],
    ["content=%00", bad],
    ["content=x&kind=sideways", bad],
    ["content=x&kind=null", bad],
    ["content=x&topic=toolong", bad],
    ["content=x&count=abc", bad],
    ["content=x&count=", bad],
    ["content=x&count=1.5", bad],
    ["content=x&count=-1", bad],
    ["content=x&count=101", bad],
    ["content=x&count=%221%22", bad],
    ["content=x&count=true", bad],
    ["content=x&count=NaN", bad],
    ["content=x&count=[1]", bad],
    ["content=x&is_soft=True", bad],
    ["content=x&is_soft=1", bad],
    ["content=x&is_soft=yes", bad],
    ["content=x&ids=1", bad],
    ["content=x&ids={}", bad],
    ["content=x&ids=[1", bad],
    ["content=x&ids=[null]", bad],
    ["content=x&ids=[1e300]", bad],
    ["content=x&ids=[9007199254740993]", bad],
    ["content=x&ratio=1e400", bad],
    ["content=x&words=[%22%5Cu0000%22]", bad],
    ["content=x&words=[%22%5Cud800%22]", bad],
    ["content=x&flags={%22__proto__%22:true}", bad],
    ["content=x&flags={%22%5Cu0000%22:true}", bad],
    ["content=x&flags=[]", bad],
    ["content=x&to=%00", bad],
    ["content=x&to=[%22%5Cu0000%22]", bad],
    ["content=x&partial=sometimes", bad],
    [`content=x&anything=${"[".repeat(5000)}${"]".repeat(5000)}`, bad],
    [`content=x&ids=[${"1,".repeat(60_000)}1]`, bad],
    ["content=x&num_before=abc", { ...invalid, bad_value: "abc" }],
    ["content=x&num_before=-1", { ...invalid, bad_value: "-1" }],
    ["content=x&num_before=%00", { ...invalid, bad_value: "\0" }],
    [
      "content=x&topic=a&subject=b",
      { status: 400, code: "REQUEST_CONFUSING_VAR", var_name1: "topic", var_name2: "subject" },
    ],
  ])("%s", (query, expected) => {
    expect(failureOf(() => decode(query))).toEqual(expected);
  });

  test.each(["abc", "", "1.5", "%00", "99999999999999999999"])(
    "a path that says %s where an integer stands",
    (text) => {
      const path = fields(`toy_id=${text}`);
      expect(failureOf(() => decoder.decode(path, fields("content=x"), undefined))).toEqual(bad);
    },
  );

  test.each(["[".repeat(200_000), `{"a":`.repeat(21), `["\\"]",${"[".repeat(20)}`, `[]${"[".repeat(21)}`])(
    "JSON that is nested too deep is refused before it is parsed",
    (text) => {
      const query = `anything=${encodeURIComponent(text)}`;
      expect(() => valueIn("anything", query)).toThrow("anything is not nested at most 20 deep");
    },
  );

  test.each([
    `${"[".repeat(20)}${"]".repeat(20)}`,
    JSON.stringify(["[".repeat(50), `"${"{".repeat(50)}`, "\\", "["]),
    JSON.stringify(Array.from({ length: 50 }, () => [{}])),
  ])("JSON that is nested less deep, or has brackets in its texts, is accepted: %s", (text) => {
    expect(valueIn("anything", `anything=${encodeURIComponent(text)}`)).toEqual(JSON.parse(text));
  });

  test("the message says what was expected", () => {
    expect(() => valueIn("count", "count=101")).toThrow("count is not an integer from 0 to 100");
    expect(() => valueIn("isSoft", "is_soft=1")).toThrow("is_soft is not a boolean");
    expect(() => valueIn("ids", "ids=1")).toThrow("ids is not a list whose every item is an integer");
    expect(() => valueIn("kind", "kind=x")).toThrow('kind is not "direct" or "channel"');
    expect(() => valueIn("ids", "ids=[")).toThrow('Argument "ids" is not valid JSON.');
    expect(() => valueIn("topic", "topic=toolong")).toThrow("topic is too long (limit: 5 characters)");
  });

  test("a length is counted in code points, not in UTF-16 units", () => {
    expect(valueIn("topic", `topic=${encodeURIComponent("🦜🦜🦜🦜🦜")}`)).toBe("🦜🦜🦜🦜🦜");
  });
});

describe("where parameters come from", () => {
  test("parameters may be split between query and body", () => {
    expect(decode("content=x", "count=3").params).toEqual({ toyId: 7, content: "x", count: 3 });
  });

  test("the body takes precedence over the query, and the last value over earlier ones", () => {
    expect(decode("content=query", "content=first&content=last").params.content).toBe("last");
  });

  test("an older name is accepted, and a request with both names is refused", () => {
    expect(decode("content=x&subject=a").params.topic).toBe("a");
    expect(failureOf(() => decode("content=x&subject=a", "topic=a")).code).toBe("REQUEST_CONFUSING_VAR");
  });

  test("a path parameter that is repeated elsewhere is ignored", () => {
    const decoded = decode("content=x&toy_id=9", "toy_id=abc");
    expect(decoded.params.toyId).toBe(7);
    expect(decoded.unsupported).toBeUndefined();
  });
});

describe("names that the endpoint does not know", () => {
  test("are listed once each", () => {
    expect(decode("content=x&strange=1&more=2", "strange=3").unsupported).toEqual(["strange", "more"]);
  });

  test("do not include ignored parameters and the client's name", () => {
    const decoded = decode("content=x&old_word=1&client=Robot");
    expect(decoded.unsupported).toBeUndefined();
    expect(decoded.client).toBe("Robot");
    expect(decoded.params).toEqual({ toyId: 7, content: "x" });
  });

  test("may be names of JavaScript's Object.prototype", () => {
    const decoded = decode("content=x&__proto__=a&constructor=b&toString=c");
    expect(decoded.unsupported).toEqual(["__proto__", "constructor", "toString"]);
    expect(Object.getPrototypeOf(decoded.params)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});

describe("a JSON body", () => {
  test.each([
    ["content", '"content":"null"', "null"],
    ["topic", '"topic":null', undefined],
    ["kind", '"kind":"direct"', "direct"],
    ["to", '"to":"general"', "general"],
    ["to", '"to":12', 12],
    ["to", '"to":[1,2]', [1, 2]],
    ["to", '"to":"[1,2]"', [1, 2]],
    ["partial", '"partial":true', true],
    ["partial", '"partial":"partial"', "partial"],
    ["count", '"count":3', 3],
    ["count", '"count":"3"', 3],
    ["count", '"count":null', undefined],
    ["isSoft", '"is_soft":false', false],
    ["ids", '"ids":[1]', [1]],
    ["ids", '"ids":"[1]"', [1]],
    ["flags", '"flags":{"a":true}', { a: true }],
    ["flags", '"flags":"{\\"a\\":true}"', { a: true }],
    ["folderId", '"folder_id":null', null],
    ["topic", '"subject":"new"', "new"],
  ])("gives %s from {%s}", (name, member, expected) => {
    expect(decodeJson(`{"content":"x",${member}}`).params[name]).toEqual(expected);
  });

  test.each([
    ['"topic":5', "topic is not a valid text"],
    ['"topic":["a"]', "topic is not a valid text"],
    ['"topic":"\\u0000"', "topic contains a NUL character"],
    ['"topic":"\\ud800"', "topic is not well-formed Unicode text"],
    ['"words":["\\ud800"]', "words is not well-formed Unicode text"],
    ['"count":1.5', "count is not an integer from 0 to 100"],
    ['"count":"1.5"', "count is not an integer from 0 to 100"],
    ['"ids":[1e400]', "ids is not a number of a reasonable size"],
    ['"flags":{"__proto__":true}', "flags is not free of reserved names"],
    ['"num_before":[-1]', "Bad value for 'num_before': [-1]"],
    ['"topic":"a","subject":"b"', "Give 'topic' or 'subject', not both"],
  ])("with {%s} is refused", (member, message) => {
    expect(() => decodeJson(`{"content":"x",${member}}`)).toThrow(message);
  });

  test("takes precedence over the query, and can't change what the path names", () => {
    const { params, client } = decodeJson('{"content":"x","toy_id":8,"client":"b"}', "content=y&client=a");
    expect([params, client]).toEqual([{ toyId: 7, content: "x" }, "b"]);
    expect(decodeJson('{"client":["b"]}', "content=y&client=a").client).toBe("a");
  });

  test("without members is valid", () => {
    expect(decodeJson("{}", "content=y").params).toEqual({ toyId: 7, content: "y" });
  });
});
