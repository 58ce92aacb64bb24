import { describe, expect, test } from "vitest";
import { UNKNOWN_USER_PICTURE } from "../../../api/people/unknown-user.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { medium, useAvatars } from "../../../test/harness/avatars.ts";
import type { CastName } from "../../../test/harness/harness.ts";
import { listen } from "../../../test/harness/listener.ts";

const avatars = useAvatars();
const { upload, load } = avatars;

describe("the address of a picture by whom it shows (spec E21)", () => {
  const ask = (by: CastName | undefined, path: string) => {
    const { email = "", apiKey = "" } = by ? avatars.harness.user(by) : {};
    const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
    return load(`/avatar/${path}`, by ? { authorization } : {});
  };
  const target = async (by: CastName | undefined, path: string) => {
    const { statusCode, headers } = await ask(by, path);
    expect(statusCode).toBe(302);
    return headers.location;
  };

  test("redirects to it, by ID and by email address, in both sizes", async () => {
    const url = await upload("dev");
    const { id, email } = avatars.harness.user("dev");
    expect(await target("gus", `${id}`)).toBe(url);
    expect(await target("gus", `${email}`)).toBe(url);
    expect(await target("gus", `${id}/medium`)).toBe(medium(url));
    expect(await target("gus", `${email}/medium?version=3`)).toBe(`${medium(url)}?version=3`);
  });

  test("redirects to one for everybody where the person is unknown", async () => {
    for (const path of ["999999", "nobody@demo.test", `${avatars.harness.user("zed").id}`, "1e3"]) {
      expect(await target("ada", path)).toBe(UNKNOWN_USER_PICTURE);
      expect(await target("ada", `${path}/medium`)).toBe(medium(UNKNOWN_USER_PICTURE));
    }
    expect((await load(UNKNOWN_USER_PICTURE)).statusCode).toBe(200);
  });

  test("needs an account, or public access and an ID", async () => {
    const { id, email } = avatars.harness.user("dev");
    const url = await upload("dev");
    const refused = await ask(undefined, `${id}`);
    expect([refused.statusCode, refused.json().code]).toEqual([401, "UNAUTHORIZED"]);
    await expectSuccess(avatars.harness.as("ada").patch("/realm", { enable_spectator_access: true }));
    expect(await target(undefined, `${id}`)).toBe(url);
    expect((await ask(undefined, email)).statusCode).toBe(401);
    await expectSuccess(avatars.harness.as("ada").patch("/realm", { enable_spectator_access: false }));
  });

  test("does not show a limited guest whom they may not know", async () => {
    const { body } = await avatars.harness.as("ada").get("/user_groups");
    const group = (name: string) =>
      body.user_groups.find((each: { name: string }) => each.name === name).id as number;
    const limit = (name: string) =>
      expectSuccess(
        avatars.harness.as("ada").patch("/realm", { can_access_all_users_group: { new: group(name) } }),
      );
    const { id } = avatars.harness.user("cleo");
    const url = await upload("cleo");
    expect(await target("gus", `${id}`)).toBe(url);
    await limit("role:members");
    expect(await target("gus", `${id}`)).toBe(UNKNOWN_USER_PICTURE);
    expect(await target("dev", `${id}`)).toBe(url);
    const guest = await listen(avatars.harness.as("gus"), { event_types: ["realm_user"] });
    const member = await listen(avatars.harness.as("dev"), { event_types: ["realm_user"] });
    await upload("cleo");
    expect(await member.heard()).toHaveLength(1);
    expect(await guest.heard()).toEqual([]);
    await limit("role:everyone");
  });
});
