// Runs before every test file. The hash of a password takes 50 ms of processor by intention, and thousands
// are made and checked in a run. Nearly all tests are about who may do what, so the hashes here are as cheap
// as the library allows. A file about the hashes themselves calls vi.unmock.
import { vi } from "vitest";

vi.mock("@node-rs/argon2", async (importOriginal) => {
  const argon2 = await importOriginal<typeof import("@node-rs/argon2")>();
  const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  return { ...argon2, hash: (password: string) => argon2.hash(password, cheap) };
});
