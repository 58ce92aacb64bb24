/** What Prometheus' own program says of the rules, and when they would alert. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../e2e/parley.ts";

const RULES = path.resolve(import.meta.dirname, "../../../deploy/prometheus/alerts.yml");

function promtool(...words: string[]) {
  const { status, stdout, stderr, error } = spawnSync("promtool", words, { encoding: "utf8" });
  if (error) throw error;
  return { status, text: stdout + stderr };
}

test("promtool reads the rules", () => {
  const rules = [...readFileSync(RULES, "utf8").matchAll(/- alert:/g)].length;
  const { status, text } = promtool("check", "rules", RULES);
  expect(text).toContain(`SUCCESS: ${rules} rules found`);
  expect(status).toBe(0);
});

test("the rules alert for what is wrong, and stay quiet when all is well", () => {
  const { status, text } = promtool("test", "rules", path.join(import.meta.dirname, "alerts.test.yml"));
  expect([status, text]).toEqual([0, expect.stringContaining("SUCCESS")]);
});

test("promtool reads what the dashboard asks", () => {
  const file = path.resolve(import.meta.dirname, "../../../deploy/grafana/parley.json");
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: { targets: { expr: string }[] }[] };
  const questions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  // As Grafana fills in.
  const rules = questions.map((expr, index) => ({
    record: `dashboard:${index}`,
    expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$instance", ".*"),
  }));
  const written = path.join(temporaryDirectory(), "dashboard.json");
  writeFileSync(written, JSON.stringify({ groups: [{ name: "dashboard", rules }] }));
  const { status, text } = promtool("check", "rules", written);
  expect([status, text]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
});
