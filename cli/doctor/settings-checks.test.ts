import { expect, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { describeSettings } from "./settings-checks.ts";

const textsOf = (environment: NodeJS.ProcessEnv) =>
  describeSettings(readConfig(environment)).map(({ hasPassed, text }) => {
    expect(hasPassed).toBe(true);
    return text;
  });

test("doctor says what is not set up", () => {
  expect(textsOf({})).toEqual([
    "No mail is sent. PARLEY_SMTP_URL and PARLEY_MAIL_FROM set that up.",
    "Webhooks of people can't reach addresses inside the network.",
    "Nobody signs in by JSON web token.",
  ]);
  expect(textsOf({ PARLEY_ENV: "development" })[0]).toContain("kept for the page of a development server");
});

test("doctor says what is set up, without passwords and keys", () => {
  const key = "a secret of the tests, with 32 bytes";
  const texts = textsOf({
    PARLEY_PUBLIC_URL: "https://chat.example.com",
    PARLEY_SMTP_URL: "smtp://chat:mail-password@mail.example.com",
    PARLEY_MAIL_FROM: "Chat <chat@example.com>",
    PARLEY_OUTGOING_ALLOW: "10.0.0.0/8,fd00::/8",
    PARLEY_JWT: JSON.stringify({ "demo.test": { key, algorithms: ["HS256"] } }),
  });
  expect(texts).toEqual([
    "Mail goes through mail.example.com, from chat@example.com.",
    "Webhooks of people can reach these addresses inside the network: 10.0.0.0/8, fd00::/8.",
    "JSON web tokens are taken for demo.test.",
  ]);
});
