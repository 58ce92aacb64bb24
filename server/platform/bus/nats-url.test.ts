import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { hasCredentials, type NatsServers, readNatsUrl } from "./nats-url.ts";

test("credentials are separated from the address", () => {
  expect(readNatsUrl("nats://parley:pass%3Aword@bus.test:4223")).toEqual({
    servers: ["bus.test:4223"],
    user: "parley",
    pass: "pass:word",
  });
  expect(readNatsUrl("nats://a-token@bus.test")).toEqual({ servers: ["bus.test:4222"], token: "a-token" });
});

test("an address can name several servers of one cluster, with or without TLS", () => {
  expect(readNatsUrl("nats://one.test, nats://two.test:5000")).toEqual({
    servers: ["one.test:4222", "two.test:5000"],
  });
  expect(readNatsUrl("tls://one.test")).toEqual({ servers: ["one.test:4222"], tls: {} });
});

test("an address may lack credentials, which the server warns about", () => {
  const isSafe = (text: string) => hasCredentials(readNatsUrl(text) as NatsServers);
  expect(["nats://parley:word@bus.test", "nats://a-token@bus.test"].map(isSafe)).toEqual([true, true]);
  expect(["nats://bus.test", "tls://bus.test", "nats://one.test,nats://two.test"].map(isSafe)).toEqual([
    false,
    false,
    false,
  ]);
});

test.each(["bus.test:4222", "http://bus.test", "nats://", "nats://one.test,", "nats:// x"])(
  "'%s' is refused without repeating it, since it may contain a password",
  (text) => {
    expect(readNatsUrl(text)).toBeUndefined();
    expect(() => readConfig({ PARLEY_NATS_URL: text })).toThrow(
      "PARLEY_NATS_URL must have the form nats://user:password@host:4222, or be several such addresses separated by commas.",
    );
  },
);
