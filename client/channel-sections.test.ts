import { expect, test } from "vitest";
import { channelSections, type SectionOptions } from "./channel-sections.ts";
import { Model } from "./model/model.ts";

const channel = (stream_id: number, name: string, more: object = {}) => ({
  ...{ stream_id, name, description: "", is_archived: false, color: "#112233", folder_id: null },
  ...{ is_muted: false, pin_to_top: false, is_recently_active: true },
  ...more,
});
const folder = (id: number, name: string, order: number, is_archived = false) => ({
  ...{ id, name, description: "", rendered_description: "", creator_id: null, date_created: null },
  ...{ is_archived, order },
});

const model = Model.fromSnapshot({
  user_id: 1,
  channel_folders: [folder(1, "Work", 2), folder(2, "Life", 1), folder(3, "Closed", 3, true)],
  subscriptions: [
    channel(1, "zoo", { folder_id: 1 }),
    channel(2, "Äpfel", { folder_id: 1 }),
    channel(3, "team 10"),
    channel(4, "team 9", { is_recently_active: false }),
    channel(5, "noise", { is_muted: true }),
    channel(6, "news", { pin_to_top: true, folder_id: 1, is_recently_active: false }),
    channel(7, "garden", { folder_id: 2 }),
    channel(8, "old", { is_archived: true }),
    channel(9, "shut", { folder_id: 3 }),
  ],
  unsubscribed: [channel(10, "left")],
});
const { compare } = new Intl.Collator("en", { numeric: true });
const sections = (more: Partial<SectionOptions> = {}) =>
  channelSections(model, { compare, hasFolders: true, demotesInactive: 1, ...more }).map(
    ({ key, active, inactive, muted }) => [key, active, inactive, muted],
  );

test("pinned channels come first, then folders in their order, then the others by name", () => {
  expect(sections()).toEqual([
    ["pinned", [6], [], []],
    ["folder 2", [7], [], []],
    ["folder 1", [2, 1], [], []],
    ["others", [9, 4, 3], [], [5]],
  ]);
});

test("without folders, all channels that are not pinned stand together", () => {
  expect(sections({ hasFolders: false }).map(([key, active]) => [key, active])).toEqual([
    ["pinned", [6]],
    ["others", [2, 7, 9, 4, 3, 1]],
  ]);
});

test("inactive channels stand apart if the account wants it, but not pinned ones", () => {
  const all = sections({ demotesInactive: 2 });
  expect(all[0]).toEqual(["pinned", [6], [], []]);
  expect(all[3]).toEqual(["others", [9, 3], [4], [5]]);
});
