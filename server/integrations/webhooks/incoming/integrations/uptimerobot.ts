import { Type } from "typebox";
import { event, integration, maybe } from "../integration.ts";
import { bold, inline, link, paragraphs } from "../outside-text.ts";
import { valueAt } from "../value-at.ts";

const text = Type.Union([Type.String(), Type.Number()]);

const monitor = (icon: string, did: string, description: string) =>
  event({
    description,
    payload: Type.Object({
      monitorFriendlyName: text,
      monitorURL: maybe(Type.String()),
      alertDetails: maybe(text),
      alertDuration: maybe(text),
    }),
    topic: ({ monitorFriendlyName }) => String(monitorFriendlyName),
    message({ monitorFriendlyName, monitorURL, alertDetails, alertDuration }) {
      const page = monitorURL ? ` (${link(monitorURL, monitorURL)})` : "";
      const seconds = Number(alertDuration ?? 0);
      const after = did === "is up" && seconds > 0 ? ` after ${duration(seconds)}` : "";
      return paragraphs(
        `${icon} ${bold(monitorFriendlyName)}${page} ${did}${after}.`,
        alertDetails ? inline(alertDetails, 500) : "",
      );
    },
  });

export const uptimerobot = integration({
  name: "uptimerobot",
  title: "UptimeRobot",
  setup: [
    "In UptimeRobot, open Integrations, add a webhook, and paste this address as the URL to notify:",
    "Leave the custom value empty, and choose to send the default variables as JSON or as POST parameters.",
    "Choose the events and the monitors, and save.",
  ],
  eventOf({ payload }) {
    const number = valueAt(payload, "alertType");
    const isNumber = typeof number === "string" || typeof number === "number";
    return (isNumber && kinds.get(String(number))) || "";
  },
  events: {
    down: monitor(":cross_mark:", "is down", "A monitor is down."),
    up: monitor(":check_mark:", "is up", "A monitor is up again."),
    certificate: monitor(
      ":warning:",
      "has a certificate that will expire",
      "A certificate will expire soon.",
    ),
  },
});

/** UptimeRobot's numbers. */
const kinds = new Map([
  ["1", "down"],
  ["2", "up"],
  ["3", "certificate"],
]);

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`;
}
