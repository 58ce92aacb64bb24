// Texts that a careless or hostile client might send as a parameter, and what the contract says about them.
import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import type { Parameter } from "../../api/endpoint.ts";

export interface BadValue {
  title: string;
  /** Percent-encoded, as in a form. */
  encoded: string;
}

const plain: Record<string, string> = {
  nothing: "",
  "a word": "soup",
  "the name of a function that every object has": "toString",
  "the name of every object's constructor": "constructor",
  "the name of every object's prototype": "__proto__",
  "20,000 characters": "x".repeat(20_000),
  "20,000 characters of JSON": JSON.stringify("x".repeat(20_000)),
  "a NUL": "a\u0000b",
  "a NUL in JSON": '"a\\u0000b"',
  "a NUL in a list": '["a\\u0000b"]',
  "half a character in JSON": '"\\ud800"',
  "half a character in a list": '["\\udfff"]',
  "half a character in an object": '{"name":"\\ud800"}',
  "an open brace": "{",
  "a negative number": "-1",
  "a fraction": "1.5",
  "a number beyond 32 bits": "4294967296",
  "a number beyond 53 bits": "9007199254740993",
  "a number beyond 64 bits": "99999999999999999999",
  "a number without end": "1e400",
  "not a number": "NaN",
  truth: "true",
  "truth as Python writes it": "True",
  null: "null",
  "a list of nothing": "[]",
  "a list of lists": "[[]]",
  "a list of null": "[null]",
  "a list of huge numbers": "[9007199254740993, -5]",
  "a list of words": '["soup"]',
  "a list of long words": JSON.stringify(["x".repeat(20_000)]),
  "an object": "{}",
  "an object with a prototype": '{"__proto__":{"isAdmin":true},"constructor":1}',
  "a list of objects": '[{"name":"\\u0000"},{"operator":"id","operand":"x"}]',
  "nesting without end": "[".repeat(5_000) + "]".repeat(5_000),
  "SQL and HTML": `'"); drop table users; --<script>alert(1)</script>`,
};

export const badValues: readonly BadValue[] = [
  ...Object.entries(plain).map(([title, text]) => ({ title, encoded: encodeURIComponent(text) })),
  // What a JavaScript string can't hold: bytes that are not UTF-8, and an escape that is not valid.
  { title: "half a character in bytes", encoded: "%ED%A0%80" },
  { title: "bytes that are no text", encoded: "%FF%FE" },
  { title: "a broken escape", encoded: "%zz" },
];

/** Whether the declaration leaves no doubt that this value must be refused. */
export function isRefused(parameter: Parameter, { title, encoded }: BadValue): boolean {
  if (parameter.ignored) return false;
  let text: string;
  try {
    text = decodeURIComponent(encoded);
  } catch {
    return false;
  }
  if (text.includes("\u0000")) return true;
  if (parameter.encoding === "text") return !check(parameter.schema, text);
  // Null means "not given" where the declaration does not allow it. Deep nesting is refused before it is
  // parsed.
  if (title === "null" || title.startsWith("nesting")) return false;
  const parsed = parse(text);
  const isText = parameter.encoding === "either" && check(parameter.schema, text);
  return !isText && (parsed === undefined || !check(parameter.schema, parsed.value));
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const validators = new WeakMap<TSchema, Validator>();

function check(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator.Check(value);
}
