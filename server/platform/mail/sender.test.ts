import { expect, test } from "vitest";
import { headerText } from "./mail.ts";
import { readSender, readSmtpUrl } from "./sender.ts";

test.each([
  ["smtp://mail.example.com", { host: "mail.example.com", port: 587, isSecure: false }],
  ["smtps://mail.example.com/", { host: "mail.example.com", port: 465, isSecure: true }],
  ["smtp://[::1]:2525", { host: "::1", port: 2525, isSecure: false }],
])("%s names a server", (text, settings) => {
  expect(readSmtpUrl(text)).toEqual({ ...settings, credentials: undefined });
});

test("credentials may be percent-encoded", () => {
  expect(readSmtpUrl("smtp://a%40b.test:p%3As@mail.example.com:25")).toMatchObject({
    port: 25,
    credentials: { user: "a@b.test", password: "p:s" },
  });
});

test.each([
  "mail.example.com",
  "http://mail.example.com",
  "smtp://",
  "smtp://a/b",
  "smtp://a?x=1",
  "smtp://%@a",
])("%s names no server", (text) => {
  expect(readSmtpUrl(text)).toBeUndefined();
});

test.each([
  ["chat@example.com", { name: "", address: "chat@example.com" }],
  ["Parley <chat@example.com>", { name: "Parley", address: "chat@example.com" }],
])("%s is a sender", (text, sender) => {
  expect(readSender(text)).toEqual(sender);
});

test.each(["", "chat", "a@b, c@d", 'x" <a@b>', "a\nb <a@b>", "x <a@b> y"])("%j is no sender", (text) => {
  expect(readSender(text)).toBeUndefined();
});

test("the text of a header is one line of bounded length", () => {
  expect(headerText(" a\r\nb\u0000\u2028c\u202e ")).toBe("a b c");
  expect([...headerText("🥣".repeat(500))]).toHaveLength(201);
});
