import { describe, expect, test } from "vitest";
import { Model } from "./model.ts";

const NOW = 1_700_000_000;
const users = [
  { user_id: 1, email: "ada@demo.test", full_name: "Ada", role: 400, is_bot: false },
  { user_id: 2, email: "dev@demo.test", full_name: "Dev", role: 400, is_bot: false },
];
const slim = (active: number, connected: number) => ({
  active_timestamp: NOW - active,
  idle_timestamp: NOW - connected,
});
const legacy = (status: string, before: number) => {
  const website = { client: "website", status, timestamp: NOW - before };
  return { website: { ...website, pushable: false }, aggregated: website };
};
let now = NOW;
const modelOf = (presences: object) =>
  Model.fromSnapshot(
    {
      realm_users: users,
      realm_non_active_users: [],
      cross_realm_bots: [],
      presences,
      presence_last_update_id: 7,
      server_presence_offline_threshold_seconds: 200,
    },
    { now: () => now * 1000 },
  ).presences;

describe("the model of presence", () => {
  test("shows people as active, idle or offline by their newest times", () => {
    now = NOW;
    const { statusOf } = {
      statusOf: (active: number, connected: number) => modelOf({ 1: slim(active, connected) }).statusOf(1),
    };
    expect([statusOf(199, 0), statusOf(200, 199), statusOf(1000, 200)]).toEqual([
      "active",
      "idle",
      "offline",
    ]);
    expect(modelOf({}).statusOf(1)).toBe("offline");
  });

  test("lets people become offline as time passes", () => {
    now = NOW;
    const presences = modelOf({ 1: slim(0, 0) });
    now = NOW + 199;
    expect(presences.statusOf(1)).toBe("active");
    now = NOW + 200;
    expect(presences.statusOf(1)).toBe("offline");
  });

  test("shows nobody as there by a time far ahead, which is replaced by an older one", () => {
    now = NOW;
    const presences = modelOf({ 1: slim(-9000, -9000) });
    expect(presences.statusOf(1)).toBe("offline");
    presences.add({ presences: { 1: slim(300, 2) } });
    expect(presences.statusOf(1)).toBe("idle");
  });

  test("reads the older form, by email", () => {
    now = NOW;
    const presences = modelOf({ "ada@demo.test": legacy("active", 10), "dev@demo.test": legacy("idle", 10) });
    expect([presences.statusOf(1), presences.statusOf(2)]).toEqual(["active", "idle"]);
  });

  test("takes over answers to reports, and the id for the next one", () => {
    now = NOW;
    const presences = modelOf({ 1: slim(500, 500) });
    expect(presences.lastUpdateId).toBe(7);
    presences.add({ presences: { 2: slim(3, 3) }, presence_last_update_id: 9 });
    expect([presences.statusOf(1), presences.statusOf(2), presences.lastUpdateId]).toEqual([
      "offline",
      "active",
      9,
    ]);
  });

  test("takes over events of both forms, and keeps the newest times", () => {
    now = NOW;
    const presences = modelOf({ 1: slim(5, 5) });
    presences.handlePresenceEvent({
      id: 1,
      type: "presence",
      presences: { 1: slim(300, 300), 2: slim(2, 2) },
    });
    expect([presences.statusOf(1), presences.statusOf(2)]).toEqual(["active", "active"]);
    const { website } = legacy("idle", 1);
    const event = { id: 2, type: "presence", user_id: 2, server_timestamp: NOW, presence: { website } };
    const other = modelOf({});
    other.handlePresenceEvent(event as Parameters<typeof other.handlePresenceEvent>[0]);
    expect([other.statusOf(1), other.statusOf(2)]).toEqual(["offline", "idle"]);
  });
});
