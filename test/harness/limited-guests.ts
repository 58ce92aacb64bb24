/**
 * A guest who may not know of everybody. gus shares a channel with dev, has direct messages with cleo, shared
 * a channel with elin, and has nothing to do with ben.
 */
import { afterAll, beforeAll } from "vitest";
import { expectSuccess, sayIn, showIn } from "./answers.ts";
import { type CastName, createHarness, type Harness } from "./harness.ts";

/** The people whom gus may know of, and those whom gus may not. */
export const known: readonly CastName[] = ["gus", "dev", "cleo", "echo"];
export const unknown: readonly CastName[] = ["ada", "ben", "elin"];

export const found = (text: string, among: readonly string[]) =>
  among.filter((secret) => text.includes(secret));

/** Starts the server before the tests of a file, and ends it after. Guests are not limited at first. */
export function useLimitedGuests() {
  let harness: Harness;
  const id = (name: CastName) => harness.user(name).id;
  const say = sayIn(() => harness);
  const show = showIn(() => harness);

  const ids: { kitchen: number; square: number; group: number; ofElin: number; ofDev: number } = {
    kitchen: 0,
    square: 0,
    group: 0,
    ofElin: 0,
    ofDev: 0,
  };

  async function limit(isLimited: boolean): Promise<void> {
    const { body } = await harness.as("ada").get("/user_groups");
    const name = isLimited ? "role:members" : "role:everyone";
    const group = body.user_groups.find((each: { name: string }) => each.name === name);
    await harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } });
  }

  beforeAll(async () => {
    harness = await createHarness();
    ids.kitchen = (await harness.channel("kitchen", ["dev", "elin", "gus"])).id;
    ids.square = (await harness.channel("square", ["ben", "elin"], { isWebPublic: true })).id;
    ids.ofElin = await say("elin", "kitchen", { content: "Leek soup" });
    ids.ofDev = await say("dev", "kitchen");
    await expectSuccess(
      harness.as("elin").post(`/messages/${ids.ofDev}/reactions`, { emoji_name: "octopus" }),
    );
    for (const name of ["elin", "gus"] as const) {
      const read = { messages: [ids.ofDev], op: "add", flag: "read" };
      await expectSuccess(harness.as(name).post("/messages/flags", read));
    }
    await expectSuccess(harness.as("elin").patch(`/messages/${ids.ofElin}`, { content: "Pea soup" }));
    await say("cleo", [id("gus")], { type: "direct" });
    await say("ben", "square", { content: "Hello from the square" });
    await expectSuccess(harness.as("elin").delete("/users/me/subscriptions", { subscriptions: ["kitchen"] }));
    const members = [...unknown, "dev" as const].map(id);
    const group = { name: "cooks", description: "", members };
    ids.group = (await expectSuccess(harness.as("ada").post("/user_groups/create", group))).group_id;
    for (const name of ["ada", "ben", "cleo", "dev", "elin"] as const) {
      await expectSuccess(harness.as(name).post("/users/me/status", { status_text: `status of ${name}` }));
      await expectSuccess(harness.as(name).post("/users/me/presence", { status: "active" }));
    }
  });
  afterAll(() => harness.close());

  /** What only those may read who may know of a person. */
  const secretsOf = (name: CastName): string[] => {
    const { user } = harness.user(name);
    return [user.fullName, user.email, `status of ${name}`];
  };

  const secrets = () => unknown.flatMap(secretsOf);

  return {
    ...{ id, say, show, ids, limit, secretsOf, secrets },
    get harness() {
      return harness;
    },
  };
}
