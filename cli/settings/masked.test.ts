import { expect, test } from "vitest";
import { maskAddresses } from "./masked.ts";

test.each([
  ["postgres://parley:hunter2@db:5432/chat", "postgres://parley:***@db:5432/chat"],
  ["postgres://parley@db/chat?sslmode=require", "postgres://parley@db/chat?sslmode=require"],
  ["postgres://db/chat?user=a&password=hunter2", "postgres://db/chat?user=a&password=***"],
  ["postgres://parley:hunter2@/chat?host=/run/db", "postgres://parley:***@/chat?host=/run/db"],
  ["smtps://chat:hunter2@mail.test", "smtps://chat:***@mail.test"],
  ["nats://a:hunter2@one:4222, nats://a:hunter2@two", "nats://a:***@one:4222,nats://a:***@two"],
  // A name without a password is a token there.
  ["tls://hunter2@one:4222", "tls://***@one:4222"],
  ["s3://bucket/prefix", "s3://bucket/prefix"],
  ["s3://key:hunter2@bucket", "s3://key:***@bucket"],
  ["/mnt/files", "/mnt/files"],
  ["https://chat.example.com", "https://chat.example.com"],
  ["http://127.0.0.1:9991", "http://127.0.0.1:9991"],
])("%s is shown as %s", (text, shown) => {
  expect(maskAddresses(text)).toBe(shown);
});

test.each([
  "smtp://user:12/hunter2@mail.test",
  "smtp://user:12#hunter2@mail.test",
  "smtp://user:12?hunter2@mail.test",
  "postgres://user:hunter2/x@db/chat",
  "user:hunter2@db:5432/chat",
  "smtp:user:hunter2@mail.test",
  "hunter2@db",
  "postgres://user:hunter2@/a@b",
])("an address that no program can read, such as %s, is not shown", (text) => {
  expect(maskAddresses(text)).toBe("set");
});
