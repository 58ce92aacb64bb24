import { expect, test } from "vitest";
import { Keyring } from "../../platform/crypto/keyring.ts";
import { type Flow, FlowCookie } from "./flow-cookie.ts";

const keyring = new Keyring("a secret for the tests");
const bound = { organizationId: 1, providerId: "sso" };
const flow: Flow = {
  state: "the-state",
  nonce: "the-nonce",
  verifier: "the-verifier",
  next: "/inbox",
  join: undefined,
  nativeApp: undefined,
};

test("over https the cookie is for https and this host alone, and no other name counts", () => {
  const secure = new FlowCookie(keyring, "https://demo.test", bound);
  const header = secure.header({ flow });
  expect(header).toMatch(/^__Host-parley-auth=.*; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
  const [pair = ""] = header.split(";");
  expect(secure.flow({ cookie: `a=b; ${pair}` })).toEqual(flow);
  expect(secure.flow({ cookie: pair.replace("__Host-", "") })).toBeUndefined();
  expect(new FlowCookie(keyring, "http://demo.test", bound).flow({ cookie: pair })).toBeUndefined();
});

test("nobody can read or change it, and a server with another secret does not take it", () => {
  const cookie = new FlowCookie(keyring, "http://demo.test", bound);
  const [pair = ""] = cookie.header({ flow }).split(";");
  const bytes = Buffer.from(pair.slice(pair.indexOf("=") + 1), "base64url");
  expect(bytes.toString("latin1")).not.toContain("the-");
  bytes[20] = (bytes[20] as number) ^ 1;
  expect(cookie.flow({ cookie: `parley-auth=${bytes.toString("base64url")}` })).toBeUndefined();
  const other = new FlowCookie(new Keyring("another secret"), "http://demo.test", bound);
  expect(other.flow({ cookie: pair })).toBeUndefined();
  expect(cookie.flow({ cookie: "parley-auth=" })).toBeUndefined();
  expect(cookie.flow({})).toBeUndefined();
});

test("a cookie that waits for a step is no sign-in, nor the other way round", () => {
  const cookie = new FlowCookie(keyring, "http://demo.test", bound);
  const read = (header: string) => ({ cookie: header.split(";")[0] ?? "" });
  const step = read(cookie.header({ step: "a token" }));
  expect([cookie.step(step), cookie.flow(step)]).toEqual(["a token", undefined]);
  expect(cookie.step(read(cookie.header({ flow })))).toBeUndefined();
});

test("one of the earlier release, which had other names, counts as none", () => {
  const cookie = new FlowCookie(keyring, "http://demo.test", bound);
  const { nativeApp, ...rest } = flow;
  const earlier = { ...rest, handOver: { to: "mobile", otp: "ab".repeat(32) } };
  const sealed = { kind: "sign-in", ...bound, expiresAt: Date.now() + 1000, content: { flow: earlier } };
  const text = keyring.encrypt(JSON.stringify(sealed)).toString("base64url");
  expect(cookie.flow({ cookie: `parley-auth=${text}` })).toBeUndefined();
});
