import { describe, expect, test } from "vitest";
import type { GroupId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import { PASSWORD } from "../../../test/harness/accounts.ts";
import { expectSuccess } from "../../../test/harness/answers.ts";
import { SITE, useProviders } from "../../../test/harness/oidc-providers.ts";
import { groups } from "../../groups/group.ts";

const providers = useProviders();
const { fresh, accountOf } = providers;

describe("a provider with roles and groups", () => {
  const groupNamed = async (name: string): Promise<GroupId> => {
    const group = { name, description: "", members: [] };
    return (await expectSuccess(providers.harness.as("ada").post("/user_groups/create", group))).group_id;
  };
  const signIn = async (claims: Record<string, unknown>, sub = "mapped-1") => {
    const browser = fresh({ sub, email: `${sub}@elsewhere.test`, name: "Mapped One", ...claims });
    const page = await browser.open(`${SITE}/auth/mapped`);
    expect(page.url).toBe(`${SITE}/`);
    return accountOf(`${sub}@elsewhere.test`);
  };

  test("gives and takes them at every sign-in", async () => {
    const [cooks, gardeners] = [await groupNamed("Cooks"), await groupNamed("Gardeners")];
    const isIn = (group: GroupId) => {
      const id = accountOf("mapped-1@elsewhere.test")?.id;
      return id !== undefined && providers.harness.state.get(groups).hasDirectMember(group, id);
    };
    const inGroups = () => [cooks, gardeners].map(isIn);
    const user = await signIn({ roles: ["helper", "boss"], groups: ["kitchen", "nowhere", "unknown"] });
    expect([user?.role, ...inGroups()]).toEqual([roles.administrator, true, false]);
    const later = await signIn({ roles: "helper", groups: ["garden"], name: "Mapped Two" });
    expect([later?.role, later?.fullName, ...inGroups()]).toEqual([
      roles.moderator,
      "Mapped Two",
      false,
      true,
    ]);
    // A provider may leave out a long list. Then nothing is known, and nothing changes.
    const unknown = await signIn({ roles: "helper", _claim_names: { groups: "src1" } });
    expect([unknown?.fullName, ...inGroups()]).toEqual(["Mapped One", false, true]);
    const bare = await signIn({});
    expect([bare?.role, ...inGroups()]).toEqual([roles.member, false, false]);
  });

  test("makes guests from the start, and nobody rises because a role is missing", async () => {
    expect((await signIn({ roles: ["visitor"] }, "mapped-2"))?.role).toBe(roles.guest);
    expect((await signIn({}, "mapped-2"))?.role).toBe(roles.guest);
  });

  test("leaves owners as they are, since its setting does not name them", async () => {
    const user = accountOf("mira@demo.test");
    const connect = fresh({ sub: "mira-1", email: "mira@demo.test", roles: ["visitor"] });
    const { url } = await connect.open(`${SITE}/auth/mapped`);
    await expectSuccess(providers.harness.as("ada").patch(`/users/${user?.id}`, { role: roles.owner }));
    const done = await connect.submit(url, { username: "mira@demo.test", password: PASSWORD });
    expect([done.url, accountOf("mira@demo.test")?.role]).toEqual([`${SITE}/`, roles.owner]);
  });
});
