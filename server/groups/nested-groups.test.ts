import { describe, expect, test } from "vitest";
import type { GroupId, UserId } from "../../api/ids.ts";
import { type Group, Groups } from "./group.ts";

const id = (n: number) => n as GroupId;
const person = (n: number) => n as UserId;

function group(
  n: number,
  more: Partial<Record<"members" | "subgroups", number[]>> & Partial<Group> = {},
): Group {
  const { members = [], subgroups = [], ...fields } = more;
  return {
    id: id(n),
    name: `group ${n}`,
    description: "",
    systemCode: null,
    creatorId: null,
    settings: {},
    createdAt: 0,
    isActive: true,
    memberIds: members.map(person),
    subgroupIds: subgroups.map(id),
    ...fields,
  };
}

function groupsOf(...list: Group[]): Groups {
  const all = new Groups();
  for (const each of list) all.put(each);
  return all;
}

const holds = (all: Groups, groupId: number, userId: number) =>
  all.closure.holds(id(groupId), person(userId), all.of(person(userId)));

describe("a person is in a group", () => {
  test("directly, and through any number of subgroups", () => {
    const chain = Array.from({ length: 100 }, (_, n) => group(n + 1, { subgroups: n === 0 ? [] : [n] }));
    const all = groupsOf(...chain, group(200));
    all.apply({ change: [{ id: id(1), added: [person(7)] }] });
    expect(holds(all, 1, 7)).toBe(true);
    expect(holds(all, 100, 7)).toBe(true);
    expect(holds(all, 200, 7)).toBe(false);
    expect(holds(all, 100, 8)).toBe(false);
  });

  test("as long as the groups in between are active", () => {
    const all = groupsOf(
      group(1, { members: [7] }),
      group(2, { subgroups: [1] }),
      group(3, { subgroups: [2] }),
    );
    expect(holds(all, 3, 7)).toBe(true);
    all.apply({ change: [{ id: id(2), fields: { isActive: false } }] });
    expect([holds(all, 1, 7), holds(all, 2, 7), holds(all, 3, 7)]).toEqual([true, false, false]);
    all.apply({ change: [{ id: id(2), fields: { isActive: true } }] });
    expect(holds(all, 3, 7)).toBe(true);
  });

  test("until the person leaves, or a group in between is removed", () => {
    const all = groupsOf(
      group(1, { members: [7, 8] }),
      group(2, { subgroups: [1] }),
      group(3, { subgroups: [2] }),
    );
    expect(holds(all, 3, 8)).toBe(true);
    all.apply({ change: [{ id: id(1), removed: [person(8)] }] });
    expect([holds(all, 3, 7), holds(all, 3, 8)]).toEqual([true, false]);
    all.apply({ change: [{ id: id(3), removedSubgroups: [id(2)] }] });
    expect([holds(all, 2, 7), holds(all, 3, 7)]).toEqual([true, false]);
    all.apply({ change: [{ id: id(3), addedSubgroups: [id(1)] }], remove: [id(2)] });
    expect([holds(all, 2, 7), holds(all, 3, 7)]).toEqual([false, true]);
  });
});

test("a cycle of groups, which nobody can make, still gives an answer", () => {
  const all = groupsOf(group(1, { members: [7], subgroups: [2] }), group(2, { subgroups: [1] }), group(3));
  expect([holds(all, 1, 7), holds(all, 2, 7), holds(all, 3, 7)]).toEqual([true, true, false]);
});

test("the largest of the system groups in a group counts", () => {
  const all = groupsOf(
    group(1, { systemCode: 100 }),
    group(2, { systemCode: 400, subgroups: [1] }),
    group(3, { subgroups: [1] }),
    group(4, { subgroups: [3, 2] }),
    group(5),
  );
  expect([1, 2, 3, 4, 5].map((n) => all.closure.systemCodeIn(id(n)))).toEqual([100, 400, 100, 400, 0]);
});

test("the groups that contain a group are the group itself and all groups above it", () => {
  const all = groupsOf(group(1), group(2, { subgroups: [1] }), group(3, { subgroups: [2] }), group(4));
  expect(all.closure.containing(id(1))).toEqual([1, 2, 3]);
  expect(all.closure.containing(id(4))).toEqual([4]);
  expect(all.closure.containing(id(9))).toEqual([]);
});

test("a change of a copy does not change the original", () => {
  const all = groupsOf(group(1, { members: [7] }), group(2, { subgroups: [1] }));
  const copy = new Groups(all);
  copy.apply({
    put: [group(3, { members: [7] })],
    change: [
      { id: id(1), added: [person(8)], removed: [person(7)] },
      { id: id(2), fields: { name: "renamed" } },
    ],
  });
  expect([holds(copy, 2, 7), holds(copy, 2, 8), holds(copy, 3, 7)]).toEqual([false, true, true]);
  expect([holds(all, 2, 7), holds(all, 2, 8), holds(all, 3, 7)]).toEqual([true, false, false]);
  expect([all.findByName("renamed"), copy.findByName("group 2")]).toEqual([undefined, undefined]);
});

test("a thousand groups, ten levels deep, give the same answers as a walk through them", () => {
  const list = Array.from({ length: 1000 }, (_, n) => {
    const level = Math.floor(n / 100);
    const inner = level === 0 ? [] : [1, 2, 3].map((k) => (level - 1) * 100 + ((n * 7 + k * 31) % 100) + 1);
    return group(n + 1, { members: [n % 50, (n * 13) % 97], subgroups: [...new Set(inner)] });
  });
  const all = groupsOf(...list);
  const walk = (groupId: GroupId, userId: number): boolean => {
    const { memberIds, subgroupIds } = all.byId.get(groupId) as Group;
    return memberIds.includes(person(userId)) || subgroupIds.some((inner) => walk(inner, userId));
  };
  for (const n of [1, 99, 100, 350, 501, 777, 1000]) {
    for (const userId of [0, 3, 49, 50, 96, 98]) expect(holds(all, n, userId)).toBe(walk(id(n), userId));
  }
});
