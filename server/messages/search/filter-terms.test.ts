import { expect, test } from "vitest";
import type { OrganizationId, RecipientId, UserId } from "../../../api/ids.ts";
import { filterTermsOf, idRangeTerms } from "./filter-terms.ts";

const home = 7 as OrganizationId;
const message = (id: number) =>
  filterTermsOf(home, { id, recipientId: 1 as RecipientId, topicId: null, senderId: 2 as UserId });

const termsOf = (id: OrganizationId, range: Parameters<typeof idRangeTerms>[1]) =>
  idRangeTerms(id, range).map(({ term }) => term);

const places = [0, 1, 4095, 4096, 32_768, 1_000_000, 1_048_576, 9_999_999, 40_000_000];

test.each(["asc", "desc"] as const)(
  "ID ranges in %s order cover every message between the ends once",
  (order) => {
    for (const first of places) {
      for (const last of places) {
        const terms = termsOf(home, { first, last, order });
        expect(new Set(terms).size).toBe(terms.length);
        for (const id of places.filter((place) => place >= first && place <= last)) {
          const met = terms.filter((term) => message(id).includes(term));
          expect(met, `${id} in ${first} to ${last}`).toHaveLength(1);
        }
      }
    }
  },
);

test("there are few ID ranges, in the order of the messages", () => {
  const all = Array.from({ length: 400 }, (_, index) => index * 100_000);
  for (const order of ["asc", "desc"] as const) {
    const terms = termsOf(home, { first: 0, last: 40_000_000, order });
    expect(terms.length).toBeLessThan(50);
    const met = all.map((id) => terms.findIndex((term) => message(id).includes(term)));
    const sorted = [...met].sort((a, b) => (order === "asc" ? a - b : b - a));
    expect(met).toEqual(sorted);
  }
});

test("ends in the wrong order give no ID ranges", () => {
  expect(idRangeTerms(home, { first: 10, last: 9, order: "asc" })).toEqual([]);
});

test("another organization's messages have other terms", () => {
  const theirs = termsOf(8 as OrganizationId, { first: 0, last: 1_000_000, order: "desc" });
  expect(theirs.filter((term) => message(5).includes(term))).toEqual([]);
});
