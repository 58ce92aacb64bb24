import { readFileSync } from "node:fs";
import path from "node:path";
import { load } from "js-yaml";
import { expect, test } from "vitest";

interface Configuration {
  http: {
    routers: Record<string, { rule: string; service: string }>;
    services: Record<string, { loadBalancer: { passHostHeader: boolean; servers: { url: string }[] } }>;
  };
}

/** Debian has no Traefik, so no test starts it. */
test("the example for Traefik can be read, and passes the Host header to the server", () => {
  const file = path.resolve(import.meta.dirname, "../../deploy/traefik/parley.yml");
  const { http } = load(readFileSync(file, "utf8")) as Configuration;
  for (const { rule, service } of Object.values(http.routers)) {
    expect(rule).toMatch(/^Host\(`[a-z.]+`\)$/);
    const { passHostHeader, servers } = http.services[service]?.loadBalancer ?? {};
    expect([passHostHeader, servers]).toEqual([true, [{ url: "http://127.0.0.1:9991" }]]);
  }
});
