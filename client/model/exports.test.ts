import { expect, test } from "vitest";
import { exampleExport } from "../../api/administration/exports.ts";
import { Exports } from "./exports.ts";

test("exports are unknown until they are fetched or an event comes", () => {
  const exports = new Exports();
  expect(exports.list).toBeUndefined();
  exports.fetched([exampleExport]);
  expect(exports.list).toEqual([exampleExport]);
  exports.handlers.realm_export({ type: "realm_export", id: 7, exports: [] });
  expect(exports.list).toEqual([]);
});

test("a change of consent is known from its event on", () => {
  const exports = new Exports();
  exports.handlers.realm_export_consent({ type: "realm_export_consent", id: 7, user_id: 2, consented: true });
  expect([...exports.consents]).toEqual([[2, true]]);
});
