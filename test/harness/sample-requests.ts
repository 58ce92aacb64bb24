/** What a sample of docs/api/ sends, found by reading or running its code. */

import { createClient } from "../../client/client.ts";
import { formText, sampleSite } from "../../server/integrations/api-reference/samples.ts";

/** The same for a form, a query and a JSON object: each parameter as the text that a form has. */
export interface SentRequest {
  method: string;
  /** Relative to /api/v1. */
  path: string;
  fields: Record<string, string>;
}

/** Reads the words of a command as a shell does, and then its options as curl does. */
export function sentByCurl(command: string): SentRequest & { isSignedIn: boolean } {
  const [program, ...words] = shellWords(command);
  if (program !== "curl") throw new Error(`not curl: ${command}`);
  let [method, address, isSignedIn, isQuery] = ["", "", false, false];
  const pairs: string[] = [];
  const parts: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "-G") isQuery = true;
    else if (word === "-X") method = words.shift() ?? "";
    else if (word === "-u") isSignedIn = words.shift() !== undefined;
    else if (word === "-H") words.shift();
    else if (word === "-d") pairs.push(words.shift() ?? "");
    else if (word === "-F" || word === "--form-string") parts.push(words.shift() ?? "");
    else if (word === "--data-urlencode") {
      const [, name = "", value = ""] = /^([^=]*)=([\s\S]*)$/.exec(words.shift() ?? "") ?? [];
      pairs.push(`${name}=${encodeURIComponent(value)}`);
    } else address = word;
  }
  const implied = (pairs.length > 0 && !isQuery) || parts.length > 0 ? "POST" : "GET";
  const fields = {
    ...Object.fromEntries(new URLSearchParams(pairs.join("&"))),
    ...Object.fromEntries(parts.map(readPart)),
  };
  return { ...request(method || implied, address, fields), isSignedIn };
}

function readPart(part: string): [name: string, value: string] {
  const [, name = "", value = ""] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
  return [name, value.startsWith("@") ? sentFile(value.slice(1)) : value];
}

function shellWords(command: string): string[] {
  const joined = command.replaceAll("\\\n", " ");
  const words = joined.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, inside?: string, escaped?: string) => inside ?? escaped ?? ""),
  );
}

type Run = (...values: unknown[]) => Promise<void>;
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Run;

/** What samples with a file have in a variable. */
const picture = new Blob(["a picture"], { type: "image/png" });

function fieldsOf(form: FormData | URLSearchParams): Record<string, string> {
  const fields = [...form].map(([name, value]) => [
    name,
    typeof value === "string" ? value : sentFile(value.name),
  ]);
  return Object.fromEntries(fields);
}

/** Runs code that calls `fetch` once. */
export async function sentByFetch(code: string): Promise<SentRequest> {
  const sent: SentRequest[] = [];
  const fetch = (
    address: string,
    options: { method?: string; body?: string | FormData | URLSearchParams } = {},
  ) => {
    const { pathname, origin, searchParams } = new URL(address);
    const { body } = options;
    const inBody = body === undefined ? {} : typeof body === "string" ? JSON.parse(body) : fieldsOf(body);
    const fields = { ...Object.fromEntries(searchParams), ...textsOf(inBody) };
    sent.push(request(options.method ?? "GET", `${origin}${pathname}`, fields));
    return { json: () => ({}) };
  };
  await new AsyncFunction("fetch", "console", "picture", code)(fetch, { log: () => {} }, picture);
  return onlyOne(sent);
}

/** Runs code that makes one call with `client`. */
export async function sentByClient(code: string): Promise<SentRequest> {
  const sent: SentRequest[] = [];
  const client = createClient({
    site: sampleSite,
    fetch: async (address, { method, body }) => {
      const { pathname, origin, searchParams } = new URL(address);
      sent.push(request(method, `${origin}${pathname}`, fieldsOf(body ?? searchParams)));
      return { status: 200, headers: { get: () => null }, text: async () => '{"result":"success","msg":""}' };
    },
  });
  await new AsyncFunction("client", "console", "picture", code)(client, { log: () => {} }, picture);
  return onlyOne(sent);
}

/**
 * A program that reads a list of programs, runs each, and prints what each sent. It takes the place of the
 * packages `requests` and `zulip`, of which the samples use a part.
 */
export const pythonRecorder = `
import json, sys, types
sent = []
class Reply:
    def json(self):
        return {}
def method(name):
    def send(url, auth=None, params=None, json=None, data=None, files=None, headers=None):
        named = {field: "the file " + name for field, name in (files or {}).items()}
        sent.append([name, url, {**(params or {}), **(json or {}), **(data or {}), **named}])
        return Reply()
    return send
requests = types.ModuleType("requests")
for name in ["get", "post", "patch", "put", "delete"]:
    setattr(requests, name, method(name.upper()))
sys.modules["requests"] = requests
class Client:
    def call_endpoint(self, url, method="POST", request=None, files=None):
        named = {"file": "the file " + name for name in files or []}
        sent.append([method, "${sampleSite}/api/v1/" + url, {**(request or {}), **named}])
        return {}
found = []
for code in json.load(sys.stdin):
    sent.clear()
    exec(compile(code, "sample", "exec"), {"client": Client(), "print": lambda *words: None, "open": lambda name, mode: name})
    found.append(list(sent))
json.dump(found, sys.stdout)
`;

/** One list of what `pythonRecorder` prints. */
export function sentByPython(found: [method: string, address: string, fields: object][]): SentRequest {
  return onlyOne(found.map(([method, address, fields]) => request(method, address, textsOf(fields))));
}

/** A file, as the field that stands for it. */
export function sentFile(name: string): string {
  return `the file ${name}`;
}

export function textsOf(fields: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, withoutSpaces(formText(value))]),
  );
}

function request(method: string, address: string, fields: Record<string, string>): SentRequest {
  const root = `${sampleSite}/api/v1`;
  if (!address.startsWith(root)) throw new Error(`calls another address: ${address}`);
  return { method, path: address.slice(root.length), fields: textsOf(fields) };
}

/** Languages write JSON with different spaces. */
function withoutSpaces(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function onlyOne(sent: readonly SentRequest[]): SentRequest {
  const [first, ...others] = sent;
  if (!first || others.length > 0) throw new Error(`sent ${sent.length} requests instead of one`);
  return first;
}
