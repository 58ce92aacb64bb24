import { Type } from "typebox";
import { expect, test } from "vitest";
import { endpoint, inPath, optional, required } from "../../../api/endpoint.ts";
import type { OrganizationId, UserId } from "../../../api/ids.ts";
import { roles } from "../../../api/roles.ts";
import type { OrganizationState } from "../log/organization-state.ts";
import { RawJson } from "../std/raw-json.ts";
import { type Call, routeFor } from "./handler.ts";
import { LocalCalls } from "./local-calls.ts";
import { SessionCookie } from "./session-cookie.ts";

const about = { subject: "Toys", summary: "", description: "", errors: [], emits: [] };
const getToy = endpoint({
  ...about,
  name: "getToy",
  method: "GET",
  path: "/toys/{toy_id}",
  access: "member",
  parameters: {
    toy_id: inPath(Type.Integer(), { description: "" }),
    label: required(Type.String({ maxLength: 5 }), { description: "" }),
    sizes: optional(Type.Array(Type.Integer()), { description: "" }),
  },
  reply: { given: Type.Unknown(), raw: Type.Optional(Type.Array(Type.Integer())) },
  example: { parameters: { toy_id: 1, label: "a" }, reply: { given: {} } },
  sample: () => ({ toy_id: 1, label: "a" }),
});

const route = routeFor();
const state = { organizationId: 1 as OrganizationId } as OrganizationState;

function callOf(role: number): Call<unknown> {
  const viewer = { state, user: { id: 3 as UserId, role }, client: "mcp" };
  const cookie = new SessionCookie({}, "http://toy.test");
  const from = { address: "::1", client: "mcp", baseUrl: "http://toy.test" };
  return { state, viewer, params: {}, ...from, rawBody: undefined, files: [], stream: undefined, cookie };
}

const calls = new LocalCalls([
  route(getToy, ({ params, viewer }) => ({
    given: { params, user: viewer.user.id },
    raw: new RawJson("[1,2]"),
  })),
]);

test("a call gets the reply that a client would read, for the same caller", async () => {
  const reply = await calls.call(getToy, { toy_id: 7, label: "12", sizes: [1] }, callOf(roles.member));
  expect(reply).toEqual({ given: { params: { toyId: 7, label: "12", sizes: [1] }, user: 3 }, raw: [1, 2] });
});

test("the role and the parameters are checked as for a request", async () => {
  await expect(calls.call(getToy, { toy_id: 7, label: "a" }, callOf(roles.guest))).rejects.toThrow(
    "Insufficient permission",
  );
  await expect(calls.call(getToy, { toy_id: 7, label: "too long" }, callOf(roles.member))).rejects.toThrow(
    "label is too long",
  );
  await expect(calls.call(getToy, { toy_id: 7, label: "a\0" }, callOf(roles.member))).rejects.toThrow(
    "label contains a NUL character",
  );
  await expect(calls.call(getToy, { toy_id: 7.5, label: "a" }, callOf(roles.member))).rejects.toThrow(
    "toy_id is not an integer",
  );
});
