import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Database } from "../server/platform/db/database.ts";
import { sql } from "../server/platform/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../test/harness/postgres.ts";
import { Random } from "../test/harness/random.ts";
import { foldName } from "./fold-name.ts";

let copy: TestDatabase;
let database: Database;
beforeAll(async () => {
  copy = await createTestDatabase();
  database = await Database.open(copy.connection, { pipelines: 1 });
});
afterAll(async () => {
  await database.close();
  await copy.drop();
});

/**
 * Those of these names that PostgreSQL writes small in another way than we do, though it knows all their
 * letters.
 */
async function disagreements(names: readonly string[]): Promise<string[]> {
  const ours = names.map(foldName);
  const rows = await database.query<{ name: string }>(sql`
    select name from unnest(${names}::text[], ${ours}::text[]) as each (name, ours)
    where fold_name(name) <> ours and unicode_assigned(name)`);
  return rows.map(({ name }) => name);
}

/** All characters that a name can have. */
function allCharacters(): string[] {
  const all: string[] = [];
  for (let point = 0x20; point <= 0x10ffff; point++) {
    const character = String.fromCodePoint(point);
    if (!/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/u.test(character)) all.push(character);
  }
  return all;
}

describe("names of one thing are the same here and in the database", () => {
  test("with any character by itself", async () => {
    const all = allCharacters();
    expect(all.length).toBeGreaterThan(140_000);
    expect(await disagreements(all)).toEqual([]);
  });

  test("with any letter inside of a word, at its end and before a mark", async () => {
    const letters = allCharacters().filter((character) => /\p{Cased}/u.test(character));
    expect(letters.length).toBeGreaterThan(2500);
    const words = letters.flatMap((letter) => [`A${letter}B`, `A${letter}`, `${letter}\u0307 ${letter}.`]);
    expect(await disagreements(words)).toEqual([]);
  });

  test("with letters, marks and hidden characters in any order", async () => {
    const parts = [
      "I",
      "i",
      "İ",
      "ı",
      "\u0307",
      "\u0323",
      "\u200b",
      "\u200d",
      "e",
      "\u0301",
      "É",
      "ẞ",
      "ς",
      "A",
      "🍲",
    ];
    const names = parts.flatMap((a) => parts.flatMap((b) => parts.map((c) => `${a}${b}${c}`)));
    expect(await disagreements(names)).toEqual([]);
  });

  test("with any characters at random", async () => {
    const random = new Random(29);
    const names = Array.from({ length: 20_000 }, () => {
      const length = 1 + random.upTo(8);
      const points = Array.from({ length }, () => random.upTo(random.pick([0x250, 0x3000, 0xd800, 0x20000])));
      const fit = points.filter((point) => point >= 0x20 && (point < 0xd800 || point > 0xdfff));
      return String.fromCodePoint(...fit);
    });
    expect(await disagreements(names)).toEqual([]);
  });

  test("which the difficult letters prove to be tried", async () => {
    const rows = await database.query<{ small: string }>(
      sql`select lower(name) as small from unnest(${["ΣΑΣ", "İZ"]}::text[]) as name`,
    );
    expect(rows.map(({ small }) => small)).toEqual(["σασ", "iz"]);
    expect(["ΣΑΣ", "İZ"].map((name) => name.toLowerCase())).toEqual(["σας", "i̇z"]);
    expect(["ΣΑΣ", "İZ"].map(foldName)).toEqual(["σασ", "iz"]);
  });
});

test.each([
  ["café", "cafe\u0301"],
  ["É-c", "e\u0301-C"],
  ["Straße", "STRASSE"],
  ["İzmir", "i\u0307zmir"],
  ["ΣΟΦΟΣ", "σοφος"],
  ["ab", "a\u200bb"],
  ["abc", "\u202eabc"],
  ["می\u200cخواهم", "میخواهم"],
])("%j and %j are one name", (one, other) => {
  expect(foldName(one)).toBe(foldName(other));
});

test.each([
  ["cafe", "café"],
  ["ısı", "isi"],
  [
    "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
  ],
])("%j and %j are two names", (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other));
});
