import { expect, test } from "vitest";
import { checkStrength } from "./password-strength.ts";
import { hashNewPassword, isPassword, operatorTurn } from "./passwords.ts";

const WEAK = "The password is too short or too easy to guess.";

test.each(["password1", "qwertyuiop", "zxcvbnm,./", "iloveyou2", "Passw0rd", "p@$$w0rdp@$$w0rd"])(
  "%s is too easy to guess",
  async (password) => {
    await expect(checkStrength(password, [])).rejects.toThrow(WEAK);
  },
);

test.each(["correct horse battery", "a good start", "xkq-93-vopt"])("%s is good enough", async (password) => {
  await expect(checkStrength(password, [])).resolves.toBeUndefined();
});

test("what others know of a person is easy to guess", async () => {
  await expect(checkStrength("quillandra", [])).resolves.toBeUndefined();
  await expect(checkStrength("quillandra", ["Quillandra Moe"])).rejects.toThrow(WEAK);
  await expect(checkStrength("quillandra", ["quillandra@demo.test"])).rejects.toThrow(WEAK);
});

test("a long text costs no more than its start", async () => {
  const before = process.cpuUsage();
  const texts = ["aB3".repeat(33), "p@$$w0rd".repeat(12), "1a2b3c".repeat(16)];
  for (const text of texts) await checkStrength(text, Array(50).fill("a".repeat(500))).catch(() => {});
  const { user, system } = process.cpuUsage(before);
  // The whole texts take more than ten seconds.
  expect((user + system) / 1e6).toBeLessThan(5);
});

test("many passwords are judged in turn, and further ones are refused", async () => {
  const all = Array.from({ length: 80 }, () =>
    checkStrength("correct horse battery", []).then(() => "good", String),
  );
  const outcomes = new Set(await Promise.all(all));
  expect(outcomes).toEqual(new Set(["good", "ApiError: API usage exceeded rate limit"]));
});

test("a new password is hashed if it is good enough", async () => {
  const hash = await hashNewPassword("correct horse battery", ["Rosa Vale"], operatorTurn);
  expect(await isPassword(hash, "correct horse battery")).toBe(true);
  await expect(hashNewPassword("short", [], operatorTurn)).rejects.toThrow("8 to 100 characters");
  await expect(hashNewPassword("password1", [], operatorTurn)).rejects.toThrow(WEAK);
});
