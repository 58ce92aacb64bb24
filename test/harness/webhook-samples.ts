/** The samples of incoming webhooks, as requests and as the messages that they become. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Delivery, Integration } from "../../server/integrations/webhooks/incoming/integration.ts";
import { topicText } from "../../server/integrations/webhooks/incoming/outside-text.ts";

export const SAMPLES = fileURLToPath(
  new URL("../../server/integrations/webhooks/incoming/samples", import.meta.url),
);

interface SampleFile {
  query?: { template?: string };
  headers?: Record<string, string>;
  /** In place of the body: its fields. */
  form?: Record<string, string>;
  body?: unknown;
}

export interface WebhookSample extends SampleFile {
  integration: string;
  /** Without its ending. */
  file: string;
  delivery: Delivery;
}

export function readSamples(): WebhookSample[] {
  return readdirSync(SAMPLES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((name) => {
      const sample = JSON.parse(readFileSync(path.join(SAMPLES, name), "utf8")) as SampleFile;
      const [integration = "", file = ""] = name.replace(/\.json$/, "").split(path.sep);
      return { ...sample, integration, file, delivery: deliveryOf(sample) };
    });
}

export function deliveryOf({ headers = {}, form, body }: SampleFile): Delivery {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const payload = form === undefined ? body : form.payload === undefined ? form : JSON.parse(form.payload);
  return { payload, header: (name) => byName.get(name.toLowerCase()) };
}

/** The topic in the first line, then the text. */
export function messageOf(integration: Integration, { delivery, query }: WebhookSample): string {
  const message = integration.events[integration.eventOf(delivery)]?.read(delivery.payload, query ?? {});
  if (message === undefined || message === "unreadable") return String(message ?? "no message");
  const topic = topicText(message.topic ?? "") || `(${integration.title})`;
  return `${topic}\n\n${message.content}`;
}
