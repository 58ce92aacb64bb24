/**
 * Which groups a user is in, through any number of subgroups, answered from memory in well under a
 * microsecond. Rows are computed when first needed. A group's row is the set of groups that contain it,
 * as bits. A person's row is the union of the rows of their direct groups. A change of subgroups drops
 * all rows. Members of a smaller system group belong to every larger one too. So the largest system group
 * that a group contains decides, and the person's role answers.
 */
import type { GroupId, UserId } from "../../api/ids.ts";
import type { Group } from "./group.ts";

/**
 * How many people's rows are kept. Beyond that number all rows are dropped. With 1,000 groups a row is
 * 125 bytes.
 */
const MAX_KEPT_PEOPLE = 50_000;

export class Closure {
  /** Active groups only: deactivated groups contain nobody and are subgroups of nothing. */
  readonly #index = new Map<GroupId, number>();
  readonly #parents: number[][] = [];
  /** By the group's index: the code of the largest system group in it, 0 for none. */
  readonly #systemCodes: number[] = [];
  readonly #containing: (Uint32Array | undefined)[] = [];
  readonly #ofPerson = new Map<UserId, Uint32Array>();
  readonly #words: number;

  constructor(groups: Iterable<Group>) {
    const active = [...groups].filter((group) => group.isActive);
    for (const [index, { id }] of active.entries()) this.#index.set(id, index);
    this.#words = (active.length + 31) >>> 5;
    for (const _ of active) this.#parents.push([]);
    for (const [index, { subgroupIds }] of active.entries()) {
      for (const id of subgroupIds) {
        const child = this.#index.get(id);
        if (child !== undefined) this.#parents[child]?.push(index);
      }
    }
    this.#systemCodes = active.map(({ systemCode }) => systemCode ?? 0);
    for (const [index, { systemCode }] of active.entries()) if (systemCode) this.#spread(index, systemCode);
  }

  /** Whether a person with these direct groups is in the group, without regard to their role. */
  holds(groupId: GroupId, userId: UserId, directGroupIds: Iterable<GroupId>): boolean {
    const index = this.#index.get(groupId);
    if (index === undefined) return false;
    return hasBit(this.#ofPerson.get(userId) ?? this.#join(userId, directGroupIds), index);
  }

  /** The code of the largest system group that the group is or contains; 0 when there is none. */
  systemCodeIn(groupId: GroupId): number {
    const index = this.#index.get(groupId);
    return index === undefined ? 0 : (this.#systemCodes[index] as number);
  }

  /** The group and every active group that contains it, directly or not; empty for a deactivated group. */
  containing(groupId: GroupId): GroupId[] {
    const index = this.#index.get(groupId);
    if (index === undefined) return [];
    const bits = this.#containingOf(index);
    return [...this.#index].filter(([, each]) => hasBit(bits, each)).map(([id]) => id);
  }

  /** Must be called when a person's direct groups change. */
  forget(userId: UserId): void {
    this.#ofPerson.delete(userId);
  }

  #join(userId: UserId, directGroupIds: Iterable<GroupId>): Uint32Array {
    const joined = new Uint32Array(this.#words);
    for (const id of directGroupIds) {
      const index = this.#index.get(id);
      if (index !== undefined) addBits(joined, this.#containingOf(index));
    }
    if (this.#ofPerson.size >= MAX_KEPT_PEOPLE) this.#ofPerson.clear();
    this.#ofPerson.set(userId, joined);
    return joined;
  }

  #containingOf(index: number): Uint32Array {
    const known = this.#containing[index];
    if (known) return known;
    const bits = new Uint32Array(this.#words);
    setBit(bits, index);
    // Kept before it is complete: groups can't contain each other in a cycle, but if they did, this
    // must end.
    this.#containing[index] = bits;
    for (const parent of this.#parents[index] as number[]) addBits(bits, this.#containingOf(parent));
    return bits;
  }

  #spread(index: number, code: number): void {
    const bits = this.#containingOf(index);
    for (const [container, before] of this.#systemCodes.entries()) {
      if (before < code && hasBit(bits, container)) this.#systemCodes[container] = code;
    }
  }
}

function hasBit(bits: Uint32Array, index: number): boolean {
  return ((bits[index >>> 5] as number) & (1 << (index & 31))) !== 0;
}

function setBit(bits: Uint32Array, index: number): void {
  bits[index >>> 5] = (bits[index >>> 5] as number) | (1 << (index & 31));
}

function addBits(to: Uint32Array, from: Uint32Array): void {
  for (let word = 0; word < to.length; word++) to[word] = (to[word] as number) | (from[word] as number);
}
