import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readUnverifiedClaims, verifyToken } from "./json-web-token.ts";
import { type JwtKey, parseJwtKeys } from "./jwt-keys.ts";

const SECRET = "a secret of the tests, which has enough bytes";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const claims = { email: "dev@demo.test" };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const textOf = (header: object, payload: object) => `${encode(header)}.${encode(payload)}`;
const pemOf = (key: KeyObject) => key.export({ type: "spki", format: "pem" }) as string;

function keyFrom(key: string, algorithms: readonly string[]): JwtKey {
  return parseJwtKeys(JSON.stringify({ "demo.test": { key, algorithms } })).get("demo.test") as JwtKey;
}

function bySecret(payload: object, header: object = {}, secret = SECRET, hash = "sha256"): string {
  const text = textOf({ alg: "HS256", ...header }, payload);
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const secretKey = keyFrom(SECRET, ["HS256"]);

test("a token that the key signed gives its claims", async () => {
  expect(await verifyToken(bySecret(claims), secretKey)).toEqual(claims);
  const timed = { ...claims, nbf: inSeconds(-60), exp: inSeconds(60) };
  expect(await verifyToken(bySecret(timed), secretKey)).toEqual(timed);
});

test("clocks may be half a minute apart", async () => {
  expect(await verifyToken(bySecret({ ...claims, exp: inSeconds(-20) }), secretKey)).toBeDefined();
  expect(await verifyToken(bySecret({ ...claims, nbf: inSeconds(20) }), secretKey)).toBeDefined();
});

describe("a token gives nothing", () => {
  const [header, payload, signature] = bySecret(claims).split(".");
  test.each([
    ["that another secret signed", bySecret(claims, {}, `${SECRET}.`)],
    ["whose claims were changed", `${header}.${encode({ email: "ada@demo.test" })}.${signature}`],
    ["without a signature", `${textOf({ alg: "none" }, claims)}.`],
    ["without a signature, in other letters", `${textOf({ alg: "nOnE" }, claims)}.`],
    ["without an algorithm", `${textOf({ typ: "JWT" }, claims)}.${signature}`],
    ["of an algorithm that is not in the list", bySecret(claims, { alg: "HS512" }, SECRET, "sha512")],
    ["that has expired", bySecret({ ...claims, exp: inSeconds(-60) })],
    ["that is not valid yet", bySecret({ ...claims, nbf: inSeconds(60) })],
    ["whose end is no number", bySecret({ ...claims, exp: "never" })],
    ["that is meant for another service", bySecret({ ...claims, aud: "https://wiki.example.com" })],
    ["with an extension that must be understood", bySecret(claims, { crit: ["b64"], b64: false })],
    ["with an unknown extension", bySecret(claims, { crit: ["exp2"], exp2: 1 })],
    ["of two parts", `${header}.${payload}`],
    ["of five parts", `${header}.${payload}.${signature}.a.b`],
    ["whose claims are a list", bySecret([])],
    ["that is no token", "not a token"],
    ["of dots", ".."],
  ])("%s", async (_, token) => {
    expect(await verifyToken(bySecret(claims), secretKey)).toEqual(claims);
    expect(await verifyToken(token, secretKey)).toBeUndefined();
  });
});

test.each([
  ["RS256", rsa, { padding: undefined, hash: "sha256" }],
  ["ES256", generateKeyPairSync("ec", { namedCurve: "prime256v1" }), { hash: "sha256" }],
  ["EdDSA", generateKeyPairSync("ed25519"), { hash: null }],
])(
  "a token of a private key is verified by the public one: %s",
  async (alg, { publicKey, privateKey }, { hash }) => {
    const key = keyFrom(pemOf(publicKey), [alg]);
    const text = textOf({ alg }, claims);
    const signature = sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
    expect(await verifyToken(`${text}.${signature.toString("base64url")}`, key)).toEqual(claims);
    signature[0] = (signature[0] ?? 0) ^ 1;
    expect(await verifyToken(`${text}.${signature.toString("base64url")}`, key)).toBeUndefined();
  },
);

test("a public key does not serve as a secret", async () => {
  const pem = pemOf(rsa.publicKey);
  for (const secret of [pem, pem.trim()]) {
    expect(await verifyToken(bySecret(claims, {}, secret), keyFrom(pem, ["RS256"]))).toBeUndefined();
    expect(
      await verifyToken(bySecret(claims, { alg: "RS256" }, secret), keyFrom(pem, ["RS256"])),
    ).toBeUndefined();
  }
});

test("what a token claims can be read without a key", async () => {
  expect(await readUnverifiedClaims(bySecret(claims, {}, "another"))).toEqual(claims);
  for (const token of ["", "a.b.c", "not a token"]) expect(await readUnverifiedClaims(token)).toEqual({});
});
