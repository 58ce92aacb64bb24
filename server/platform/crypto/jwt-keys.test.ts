import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { parseJwtKeys } from "./jwt-keys.ts";

const SECRET = "0123456789abcdef0123456789ABCDEF";
const { publicKey, privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const short = generateKeyPairSync("rsa", {
  modulusLength: 1024,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

const parse = (key: unknown, algorithms: unknown, others = {}) =>
  parseJwtKeys(JSON.stringify({ "Demo.Test": { key, algorithms, ...others } }));

test("each host has a key and its algorithms", () => {
  expect([...parse(SECRET, ["HS256"]).keys()]).toEqual(["demo.test"]);
  expect(parse(SECRET, ["HS256"]).get("demo.test")?.key.type).toBe("secret");
  expect(parse(publicKey, ["RS256", "PS512"]).get("demo.test")).toMatchObject({
    key: { type: "public" },
    algorithms: ["RS256", "PS512"],
  });
});

test.each<[string, unknown, unknown, string]>([
  ["no algorithm", SECRET, [], 'must have "key" and a list "algorithms"'],
  ["no list of algorithms", SECRET, "HS256", 'must have "key" and a list "algorithms"'],
  ["no key", undefined, ["HS256"], 'must have "key" and a list "algorithms"'],
  ["the algorithm none", SECRET, ["none"], "must be of HS256"],
  ["an algorithm beside none", SECRET, ["HS256", "none"], "must be of HS256"],
  ["a secret that is too short", SECRET.slice(1), ["HS256"], "at least 32 bytes"],
  ["a secret that is too short for one of its algorithms", SECRET, ["HS256", "HS512"], "at least 64 bytes"],
  ["a secret for public keys", SECRET, ["RS256"], "a public key in PEM format"],
  ["a secret for both", SECRET, ["HS256", "RS256"], "a public key in PEM format"],
  ["a public key as a secret", publicKey, ["RS256", "HS256"], "does not fit"],
  ["a public key of another kind", publicKey, ["ES256"], "does not fit"],
  ["a short public key", short.publicKey, ["RS256"], "does not fit"],
  ["a private key", privateKey, ["RS256"], "a public key in PEM format"],
])("%s is refused, and the sentence has nothing of the key", (_, key, algorithms, problem) => {
  const act = () => parse(key, algorithms);
  expect(act).toThrow(problem);
  expect(act).toThrow(/^The (entry|key|algorithms) (of|for) Demo\.Test [^0]*$/);
});

test("what is not an object of such entries is refused", () => {
  for (const json of ["", "no JSON", "[]", "null", '"text"']) {
    expect(() => parseJwtKeys(json)).toThrow("It is not a JSON object.");
  }
  expect(() => parseJwtKeys("{}")).toThrow("It names no host.");
  expect(() => parseJwtKeys('{"demo.test":null}')).toThrow("and nothing else");
  expect(() => parse(SECRET, ["HS256"], { algorithm: "HS512" })).toThrow("and nothing else");
});
