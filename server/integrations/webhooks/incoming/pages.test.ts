import Fastify from "fastify";
import { expect, test } from "vitest";
import { addPages } from "../../../platform/http/page-routes.ts";
import { integrations } from "./integrations.ts";
import { integrationPages } from "./pages.ts";

const app = Fastify();
const publicUrl = "https://chat.example.com";
const pages = integrationPages({ publicUrl });
addPages(app, { pages, publicUrl, stateOf: () => undefined, isDeactivated: () => false });

test("the list of integrations leads to a page for each", async () => {
  const { body } = await app.inject("/integrations");
  const links = [...body.matchAll(/<td><a href="([^"]+)">/g)].map(([, address]) => address);
  expect(links).toEqual(integrations.map(({ name }) => `/integrations/${name}`));
});

test.each(integrations.map((integration) => [integration.name, integration] as const))(
  "the page of %s has the address, the steps and the events",
  async (name, { setup, events, signature }) => {
    const { statusCode, body } = await app.inject(`/integrations/${name}`);
    expect(statusCode).toBe(200);
    const secret = signature ? "&amp;secret=SECRET" : "";
    expect(body).toContain(
      `<pre>https://chat.example.com/api/v1/external/${name}?api_key=API_KEY&amp;stream=CHANNEL${secret}</pre>`,
    );
    for (const event of Object.keys(events)) expect(body).toContain(`<code>${event}</code>`);
    for (const header of signature?.headers ?? []) expect(body).toContain(`<code>${header}</code>`);
    expect(body.match(/<li>/g)).toHaveLength(setup.length + 1);
    expect(body).not.toMatch(/`|undefined|<script/);
  },
);

test("an unknown integration has no page, and its name is not shown", async () => {
  const { statusCode, body } = await app.inject("/integrations/%3Cscript%3E");
  expect(statusCode).toBe(404);
  expect(body).not.toContain("script");
});
