import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { ownPortsOf } from "./own-ports.ts";

const portsWith = (environment: NodeJS.ProcessEnv) =>
  ownPortsOf(readConfig({ PARLEY_PUBLIC_URL: "https://chat.example.com", ...environment }));

test("what the server itself talks to has ports that nobody else's requests reach", () => {
  expect(portsWith({})).toEqual([9991]);
  expect(
    portsWith({
      PARLEY_PORT: "9000",
      PARLEY_METRICS: "127.0.0.1:9001",
      PARLEY_SECRET: "a secret for the tests",
      DATABASE_URL: "postgresql://parley@127.0.0.1/parley",
      PARLEY_NATS_URL: "nats://127.0.0.1:4333",
      PARLEY_SMTP_URL: "smtp://127.0.0.1:1025",
      PARLEY_MAIL_FROM: "chat@example.com",
      PARLEY_FILES: "s3://bucket",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
      AWS_ENDPOINT_URL: "http://127.0.0.1:9002",
    }),
  ).toEqual([9000, 9001, 1025, 5432, 4333, 9002]);
});

test("a mail server has its usual port, and a bucket takes none of web pages", () => {
  const mail = { PARLEY_SMTP_URL: "smtps://mail.example.com", PARLEY_MAIL_FROM: "chat@example.com" };
  expect(portsWith(mail)).toContain(465);
  const bucket = {
    PARLEY_FILES: "s3://bucket",
    AWS_ACCESS_KEY_ID: "a",
    AWS_SECRET_ACCESS_KEY: "b",
    AWS_ENDPOINT_URL: "https://storage.example.com",
  };
  expect(portsWith(bucket)).toEqual([9991]);
});
