/**
 * Every sample of every integration, and the message that it becomes. The samples are made here, in the form
 * of each program. With the variable `WRITE_SAMPLES`, the test writes the messages of new ones; read them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { messageOf, readSamples, SAMPLES } from "../../../../test/harness/webhook-samples.ts";
import { findIntegration, integrations } from "./integrations.ts";

const samples = readSamples();

describe.each(integrations.map((integration) => [integration.name, integration] as const))(
  "%s",
  (name, integration) => {
    const own = samples.filter((sample) => sample.integration === name);

    test.each(own.map((sample) => [sample.file, sample] as const))("%s", (file, sample) => {
      const shown = `${messageOf(integration, sample)}\n`;
      const expected = path.join(SAMPLES, name, `${file}.txt`);
      if (process.env.WRITE_SAMPLES) writeFileSync(expected, shown);
      expect(readFileSync(expected, "utf8")).toBe(shown);
    });

    test("has a sample of each event", () => {
      const seen = own.map((sample) => integration.eventOf(sample.delivery));
      expect(Object.keys(integration.events).filter((event) => !seen.includes(event))).toEqual([]);
    });

    test("says how to set it up", () => {
      expect(integration.title).not.toBe("");
      expect(integration.setup[0]).toMatch(/:$/);
      for (const { description } of Object.values(integration.events))
        expect(description).toMatch(/^[A-Z].*\.$/);
    });
  },
);

test("each folder of samples belongs to an integration, and each message to a sample", () => {
  expect(readdirSync(SAMPLES).filter((name) => !findIntegration(name))).toEqual([]);
  const files = readdirSync(SAMPLES, { recursive: true, encoding: "utf8" });
  const messages = files.filter((file) => file.endsWith(".txt"));
  expect(messages.filter((file) => !files.includes(file.replace(/txt$/, "json")))).toEqual([]);
});

test("names fit into addresses and files, and are unique", () => {
  const names = integrations.map(({ name }) => name);
  expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
