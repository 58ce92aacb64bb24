import { roles } from "../../../../api/roles.ts";
import { PASSWORD } from "../../../harness/accounts.ts";
import type { CastName } from "../../../harness/harness.ts";
import type { Outcome, Verbs, Walk } from "../walk.ts";

/** Whom others in the walk can do without for a while. */
const dispensable: readonly CastName[] = ["cleo", "dev", "elin"];

export const peopleVerbs: Verbs = {
  "create an account": [
    1,
    async (walk) => {
      const number = walk.people.length + 1;
      const person = {
        email: `someone${number}.${walk.upTo(1e9)}@demo.test`,
        full_name: `Someone ${number}`,
        password: PASSWORD,
      };
      const answer = await walk.as("ada", "dev").post("/users", person);
      if (answer.status === 200) walk.people.push(answer.body.user_id);
      return answer;
    },
  ],
  "rename a person": [
    1,
    (walk) => walk.as("ada").patch(`/users/${anybody(walk)}`, { full_name: `Name ${walk.upTo(1000)}` }),
  ],
  "change a role": [
    2,
    (walk) => {
      const [id] = walk.ids([walk.pick(["cleo", "dev", "elin", "gus"] as const)]);
      const role = walk.pick([roles.guest, roles.member, roles.member, roles.moderator]);
      return walk.as("ada").patch(`/users/${id}`, { role });
    },
  ],
  "deactivate an account": [
    1,
    async (walk) => {
      const name = walk.chance(50) ? walk.pick(dispensable) : undefined;
      const id = name ? walk.harness.user(name).id : (walk.pick(walk.people) ?? 0);
      const answer: Outcome = await walk.as("ada").delete(`/users/${id}`);
      if (name && answer.status === 200) walk.ended.add(name);
      return answer;
    },
  ],
  "reactivate an account": [
    3,
    (walk) => {
      const ids = [...walk.ids(dispensable), ...walk.people];
      return walk.as("ada").post(`/users/${walk.pick(ids)}/reactivate`);
    },
  ],
  "change a setting of the organization": [
    1,
    (walk) =>
      walk.as("ada", "ben", "dev").patch("/realm", {
        digest_weekday: walk.upTo(7),
        allow_message_editing: walk.chance(80),
      }),
  ],
  "set a status": [
    1,
    (walk) => walk.anybody().post("/users/me/status", { status_text: walk.pick(["", "busy"]) }),
  ],
};

/** Limits what guests may know of people, or ends that. */
export const guestVerbs: Verbs = {
  "limit guests": [
    2,
    async (walk) => {
      const { body } = await walk.as("ada").get("/user_groups");
      const name = walk.chance(60) ? "role:members" : "role:everyone";
      const group = body.user_groups.find((each: { name: string }) => each.name === name);
      return walk.as("ada").patch("/realm", { can_access_all_users_group: { new: group.id } });
    },
  ],
};

function anybody(walk: Walk): number {
  return walk.pick([...walk.ids(["ben", "cleo", "dev", "elin", "gus"]), ...walk.people]);
}
