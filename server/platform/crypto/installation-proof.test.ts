import { expect, test } from "vitest";
import { answerInstallation, askInstallation } from "./installation-proof.ts";
import { Keyring } from "./keyring.ts";

const key = new Keyring("a secret of the tests, long enough");
const other = new Keyring("another secret of the tests");

test("a server with the same secret answers what is expected, and each time something else", () => {
  const { question, answer } = askInstallation(key);
  expect(answerInstallation(key, question)?.answer).toBe(answer);
  expect(askInstallation(key).answer).not.toBe(answer);
});

test("strangers get no answer", () => {
  const { question, answer } = askInstallation(key);
  expect(answerInstallation(other, question)).toBeUndefined();
  const [nonce = ""] = question.split(".");
  for (const forged of [
    undefined,
    "",
    nonce,
    `${nonce}.`,
    `${nonce}.${answer}`,
    `${nonce}.${"a".repeat(43)}`,
  ]) {
    expect(answerInstallation(key, forged)).toBeUndefined();
  }
});
