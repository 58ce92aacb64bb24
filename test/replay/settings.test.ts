import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingsWithOrganizationDefault } from "../../api/administration/default-user-settings.ts";
import { organizationPermissionList } from "../../api/administration/organization-permissions.ts";
import { organizationSettingList } from "../../api/administration/organization-settings.ts";
import { userSettingList } from "../../api/people/user-settings.ts";
import { eventNames, everybody, expectSilence, followAll, forms } from "../harness/follow.ts";
import { type CastName, createHarness, type Harness } from "../harness/harness.ts";
import { otherValue } from "../harness/other-value.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.channel("kitchen", ["ada", "ben", "dev", "gus", "echo"]);
});
afterAll(() => harness.close());

async function change(name: CastName, path: string, params: Record<string, unknown>): Promise<void> {
  const { status, body } = await harness.as(name).patch(path, params);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.ignored_parameters_unsupported).toBeUndefined();
}

async function groupId(name: string): Promise<number> {
  const { body } = await harness.as("ada").get("/user_groups");
  return body.user_groups.find((group: { name: string }) => group.name === name).id;
}

describe("a setting of the organization that is changed", () => {
  test("is known to everyone in it, for each setting", async () => {
    const plain = organizationSettingList.filter(({ isChannel }) => !isChannel);
    const heard = await followAll(harness, everybody, async () => {
      for (const { name, schema, default: value } of plain) {
        await change("ada", "/realm", { [name]: otherValue(schema, value) });
      }
    });
    expect(heard.gus?.length).toBeGreaterThanOrEqual(plain.length);
    expect(heard.zed).toEqual([]);
  });

  test("to a channel is known to everyone", async () => {
    // The channel for reports must be private.
    const { id } = await harness.channel("announcements", ["ada"], { isPrivate: true });
    await followAll(harness, everybody, async () => {
      for (const { name } of organizationSettingList.filter(({ isChannel }) => isChannel)) {
        await change("ada", "/realm", { [name]: id });
      }
    });
  });

  test("to another group is known to everyone, for each permission", async () => {
    const heard = await followAll(harness, everybody, async () => {
      for (const { name, allowedSystemGroups, defaultGroup } of organizationPermissionList) {
        const allowed =
          allowedSystemGroups.length > 0 ? allowedSystemGroups : ["moderators", "administrators"];
        const other = allowed.find((group) => group !== defaultGroup) ?? defaultGroup;
        await change("ada", "/realm", { [name]: { new: await groupId(`role:${other}`) } });
      }
    });
    expect(new Set(eventNames(heard.dev))).toEqual(new Set(["realm/update_dict"]));
  });

  test("to people without a group of their own is known to everyone", async () => {
    const group = {
      direct_members: [harness.user("dev").id],
      direct_subgroups: [await groupId("role:administrators")],
    };
    const settings = {
      can_create_public_channel_group: { new: group },
      can_create_private_channel_group: { new: group },
    };
    await followAll(harness, everybody, () => change("ada", "/realm", settings));
  });

  test("together with others is sent in one event", async () => {
    const params = {
      name: "Demonstration",
      message_content_edit_limit_seconds: "unlimited",
      digest_weekday: 2,
    };
    await followAll(harness, everybody, () => change("ada", "/realm", params));
  });

  test("to its present value makes no event", async () => {
    await change("ada", "/realm", { digest_weekday: 3 });
    const heard = await followAll(harness, everybody, () => change("ada", "/realm", { digest_weekday: 3 }));
    for (const name of everybody) expect(heard[name], name).toEqual([]);
  });
});

describe("a default for new people that is changed", () => {
  test("is known to everyone, for each setting", async () => {
    await followAll(harness, everybody, async () => {
      for (const { name, schema, default: value } of settingsWithOrganizationDefault) {
        const other = otherValue(schema, value);
        if (other !== undefined) await change("ben", "/realm/user_settings_defaults", { [name]: other });
      }
    });
  });
});

describe("a setting of the user's own that is changed", () => {
  const changeAll = (which: readonly (typeof userSettingList)[number][]) => async () => {
    for (const { name, schema, default: value } of which) {
      const other = otherValue(schema, value);
      if (other !== undefined) await change("dev", "/settings", { [name]: other });
    }
  };
  /** The settings that channels fall back to. Clients that don't know null get the outcome in its place. */
  const isInherited = ({ name }: { name: string }) => /^enable_stream_|^wildcard_mentions_notify$/.test(name);

  test("is known to all clients of the user, for each setting", async () => {
    await followAll(
      harness,
      ["dev", "ada"],
      changeAll(userSettingList.filter((setting) => !isInherited(setting))),
    );
    await followAll(harness, ["dev"], changeAll(userSettingList.filter(isInherited)), {
      forms: [forms.modern],
    });
  });

  test("is not announced to others", () =>
    expectSilence(harness, { hears: "gus", silent: ["ada", "ben", "dev", "zed"] }, () =>
      change("gus", "/settings", { enter_sends: true }),
    ));
});
