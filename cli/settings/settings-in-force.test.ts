import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeTemporaryDirectory } from "../../server/platform/postgres/throw-away.ts";
import { serverSettings } from "./setting-list.ts";
import { settingsInForce } from "./settings-in-force.ts";

let dir: string;
beforeAll(() => {
  dir = makeTemporaryDirectory("parley-settings-");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function look(environment: NodeJS.ProcessEnv, options = {}) {
  const { settings, faults } = settingsInForce({ PARLEY_DATA_DIR: dir, ...environment }, options);
  const of = (name: string) => settings.find((each) => each.name === name);
  return { settings, of, faults: faults.map(({ name, fault }) => [name, fault]) };
}

test("each setting says where its value comes from", () => {
  mkdirSync(path.join(dir, "made"));
  writeFileSync(path.join(dir, "made", "secret"), "a secret of enough characters");
  const keys = { "chat.test": { key: "k".repeat(32), algorithms: ["HS256"] } };
  writeFileSync(path.join(dir, "jwt.json"), JSON.stringify(keys));
  const { of, faults } = look(
    {
      PARLEY_PORT: "9100",
      PARLEY_DATA_DIR: path.join(dir, "made"),
      PARLEY_JWT: `@${path.join(dir, "jwt.json")}`,
      PARLEY_OIDC: JSON.stringify([{ preset: "github", client_id: "a", client_secret: "b" }]),
    },
    { port: "9100" },
  );
  expect(faults).toEqual([]);
  expect(of("PARLEY_HOST")).toMatchObject({ value: "127.0.0.1", source: "default" });
  expect(of("PARLEY_PORT")).toMatchObject({ value: "9100", source: "option", option: "--port" });
  expect(of("PARLEY_PUBLIC_URL")).toMatchObject({ value: "http://127.0.0.1:9100", source: "default" });
  expect(of("PARLEY_DATA_DIR")).toMatchObject({ source: "environment" });
  expect(of("PARLEY_FILES")).toMatchObject({ value: path.join(dir, "made", "files"), source: "default" });
  expect(of("PARLEY_SECRET")).toMatchObject({
    value: "set",
    source: "data_directory",
    file: path.join(dir, "made", "secret"),
  });
  expect(of("PARLEY_JWT")).toMatchObject({
    value: "set",
    source: "file",
    file: path.join(dir, "jwt.json"),
    note: "read again at SIGHUP",
  });
  expect(of("PARLEY_OIDC")).toMatchObject({ value: "set", source: "environment" });
});

test("no secret is in it, whatever is set", () => {
  const word = "hunter2-and-some-more";
  const all = Object.fromEntries(
    serverSettings
      .filter(({ kind }) => kind !== undefined)
      .map(({ name, kind }) => [name, kind === "secret" ? word : `https://user:${word}@example.com`]),
  );
  const urls = {
    PARLEY_SMTP_URL: `smtp://user:${word}@mail.test`,
    PARLEY_MAIL_FROM: "chat@example.com",
    PARLEY_NATS_URL: `nats://${word}@nats.test`,
    DATABASE_URL: `postgres://user:${word}@db/chat`,
    PARLEY_BACKUP: `s3://user:${word}@bucket`,
    PARLEY_SITE: `https://user:${word}@example.com`,
    PARLEY_API_KEY: word,
    PARLEY_OWNER_PASSWORD: word,
    PARLEY_USER_PASSWORD: word,
  };
  for (const environment of [all, { ...all, ...urls }, urls]) {
    expect(JSON.stringify(settingsInForce({ PARLEY_DATA_DIR: dir, ...environment }))).not.toContain(word);
  }
});

test("all that a start would refuse is found at once, and what follows from it is not", () => {
  expect(
    look({
      PARLEY_PORT: "x",
      PARLEY_METRICS: "127.0.0.1:9991",
      PARLEY_PUBLIC_URL: "chat",
      PARLEY_SMTP_URL: "smtp://mail.test",
      PARLEY_MAIL_FROM: "chat@example.com",
      PARLEY_LOG: "loud",
      PARLEY_SECRET: "short",
      DATABASE_URL: "db",
    }).faults,
  ).toEqual([
    ["PARLEY_PORT", "setting-wrong"],
    ["PARLEY_PUBLIC_URL", "setting-wrong"],
    ["PARLEY_LOG", "setting-wrong"],
    ["DATABASE_URL", "setting-wrong"],
    ["PARLEY_SECRET", "secret-short"],
  ]);
  expect(look({ PARLEY_MAIL_FROM: "chat@example.com" }).faults).toEqual([
    ["PARLEY_MAIL_FROM", "settings-together"],
  ]);
  const files = { PARLEY_TLS: `file:${dir}/a.crt,${dir}/a.key`, PARLEY_PUBLIC_URL: "https://chat.test" };
  expect(look(files).faults).toEqual([["PARLEY_TLS", "certificate-unreadable"]]);
  expect(look({ PARLEY_ENV: "development", PARLEY_HOST: "0.0.0.0" }).faults).toEqual([
    ["PARLEY_HOST", "development-open"],
  ]);
});

test("a wrong value is shown as it was given", () => {
  expect(look({ PARLEY_PORT: "99999" }).of("PARLEY_PORT")).toMatchObject({
    value: "99999",
    fault: { sentence: expect.stringContaining("PARLEY_PORT is '99999'") },
  });
});
