import { describe, expect, test } from "vitest";
import { MAX_FIELDS } from "./form.ts";
import { parseMultipart } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=edge";

function part(name: string, value: string, more = ""): string {
  return `--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
}

function read(text: string, type = TYPE) {
  const fields = parseMultipart(Buffer.from(text), type);
  return fields && { ...fields };
}

test("the fields of a body are parsed by name", () => {
  const body = `${part("type", "channel")}${part("content", "line\r\nline, café 🦜")}--edge--\r\n`;
  expect(read(body)).toEqual({ type: "channel", content: "line\r\nline, café 🦜" });
});

test("a body that FormData wrote is parsed", async () => {
  const form = new FormData();
  form.append('odd "name"', "1");
  form.append("empty", "");
  form.append("twice", "a");
  form.append("twice", "b");
  form.append("file", new Blob(["bytes"]), "file.txt");
  const request = new Request("http://toy.test", { method: "POST", body: form });
  const body = Buffer.from(await request.arrayBuffer());
  expect({ ...parseMultipart(body, request.headers.get("content-type") as string) }).toEqual({
    'odd "name"': "1",
    empty: "",
    twice: ["a", "b"],
  });
});

test("a preamble, an epilogue, a quoted boundary and extra spaces are accepted", () => {
  const body = `hello\r\n${part("a", "1").replace("--edge", "--edge  ")}--edge-- \r\nbye`;
  expect(read(body, 'Multipart/Form-Data; charset=utf-8; boundary="edge"')).toEqual({ a: "1" });
});

test("an empty body has no fields", () => {
  expect(read("")).toEqual({});
  expect(read("--edge--\r\n")).toEqual({});
});

test("__proto__ is an ordinary name", () => {
  const fields = parseMultipart(Buffer.from(`${part("__proto__", "x")}--edge--`), TYPE);
  expect(Object.keys(fields as object)).toEqual(["__proto__"]);
});

describe("a malformed body is refused", () => {
  test.each([
    ["cut off in a value", part("a", "1").slice(0, -4)],
    ["cut off before the end", part("a", "1")],
    ["without a boundary in it", "a=1&b=2"],
    ["without a name", "--edge\r\nContent-Disposition: form-data\r\n\r\nx\r\n--edge--\r\n"],
    ["without a disposition", "--edge\r\nContent-Type: text/plain\r\n\r\nx\r\n--edge--\r\n"],
    ["without headers", "--edge\r\n--edge--\r\n"],
    ["with too many fields", `${part("a", "1").repeat(MAX_FIELDS + 1)}--edge--`],
    ["with endless headers", `--edge\r\nX: ${"x".repeat(10_000)}\r\n\r\nx\r\n--edge--`],
  ])("%s", (_, body) => {
    expect(read(body)).toBeUndefined();
  });

  test("without a boundary in its Content-Type", () => {
    expect(read(`${part("a", "1")}--edge--`, "multipart/form-data")).toBeUndefined();
    expect(read(`${part("a", "1")}--edge--`, "multipart/form-data; boundary=")).toBeUndefined();
  });
});
