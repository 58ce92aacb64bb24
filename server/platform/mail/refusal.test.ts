import { expect, test } from "vitest";
import { describeAnswer, isFinal, wordsOf } from "./refusal.ts";

const recipient = { code: "EENVELOPE", command: "RCPT TO" };
const content = { code: "EMESSAGE", command: "DATA" };
const sender = { code: "EENVELOPE", command: "MAIL FROM" };
const answer = (to: object, response: string) => ({
  ...to,
  responseCode: Number(response.slice(0, 3)),
  response,
});

test.each([
  answer(recipient, "550 no such user"),
  answer(recipient, "550 5.1.1 no such user"),
  answer(recipient, "552 5.2.2 mailbox full"),
  answer(content, "550 not here"),
  answer(content, "552 5.3.4 too large"),
  answer(content, "550 5.6.0 malformed"),
])("the mail itself is refused by $command: $response", (failure) => {
  expect(isFinal(failure)).toBe(true);
});

test.each([
  answer(recipient, "451 4.7.1 greylisted"),
  answer(recipient, "553 5.7.1 sender address rejected: not owned by user"),
  answer(recipient, "550 5.1.8 domain of sender not found"),
  answer(recipient, "550 5.4.5 daily quota exceeded"),
  answer(content, "554 5.7.1 blocked by policy"),
  answer(content, "554 message rejected: sender is not verified"),
  answer(content, "550 5.4.5 daily quota exceeded"),
  answer(sender, "553 5.7.1 sender not owned"),
  answer(sender, "550 5.1.1 unknown"),
  answer({ code: "EENVELOPE", command: "DATA" }, "554 5.5.1 no valid recipients"),
  answer({ code: "EAUTH", command: "AUTH PLAIN" }, "535 5.7.8 wrong password"),
  { code: "ESOCKET" },
])("what may change is no refusal of the mail: $command $response", (failure) => {
  expect(isFinal(failure)).toBe(false);
});

test("the log gets the code, the status and the beginning of the answer, without addresses", () => {
  const response = `550 5.1.1 <fay@elsewhere.test>: no such user,\r\nask help@elsewhere.test ${"x".repeat(90)}`;
  expect(describeAnswer(answer(recipient, response))).toEqual({
    code: "EENVELOPE",
    command: "RCPT TO",
    reply: 550,
    status: "5.1.1",
    answer: `550 5.1.1 … no such user, ask … ${"x".repeat(48)}`,
  });
});

test("the log gets no secret that the answer repeats", () => {
  const response = "550 5.7.1 https://chat.test/join/n-AeVGN4_pvvTh7T is listed";
  const { answer: said } = describeAnswer(answer(content, response), ["n-AeVGN4_pvvTh7T"]);
  expect(said).toBe("550 5.7.1 https://chat.test/join/… is listed");
});

test.each([
  [{ code: "ESOCKET", message: "connect ECONNREFUSED 127.0.0.1:1" }, "connection refused"],
  [{ code: "ETIMEDOUT", message: "Greeting never received" }, "the mail server did not answer in time"],
  [{ code: "EDNS", message: "getaddrinfo ENOTFOUND a.test" }, "the name of the mail server was not found"],
  [{ code: "ESOCKET", message: "self-signed certificate" }, "self-signed certificate"],
  [answer(recipient, "451 4.7.1 greylisted"), "451 4.7.1 greylisted"],
  [{}, "an unknown fault"],
])("what %j says", (failure, words) => {
  expect(wordsOf(failure)).toBe(words);
});
