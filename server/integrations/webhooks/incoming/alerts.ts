/** Groups of alerts, in the form of Prometheus's Alertmanager, which Grafana uses too. */
import { type Static, Type } from "typebox";
import { maybe } from "./integration.ts";
import { bold, inline, link, list, paragraphs } from "./outside-text.ts";
import { textAt } from "./value-at.ts";

const MAX_LABELS = 8;
const texts = Type.Record(Type.String(), Type.String());

const alert = Type.Object({
  status: Type.String(),
  labels: texts,
  annotations: maybe(texts),
  startsAt: maybe(Type.String()),
  generatorURL: maybe(Type.String()),
  panelURL: maybe(Type.String()),
});

export const alertGroup = Type.Object({
  status: Type.String(),
  alerts: Type.Array(alert),
  groupLabels: maybe(texts),
  commonLabels: maybe(texts),
  externalURL: maybe(Type.String()),
});

type AlertGroup = Static<typeof alertGroup>;

/** The name that all alerts of the group share. */
export function alertTopic({ groupLabels, commonLabels, alerts }: AlertGroup): string {
  return textAt(groupLabels, "alertname") || textAt(commonLabels, "alertname") || nameOf(alerts[0]);
}

export function alertMessage({ status, alerts, externalURL }: AlertGroup): string {
  const firing = alerts.filter((one) => one.status !== "resolved");
  const resolved = alerts.filter((one) => one.status === "resolved");
  const title = link(status === "resolved" ? "Resolved" : "Firing", externalURL);
  return paragraphs(
    `${status === "resolved" ? ":check_mark:" : ":warning:"} **${title}**: ${inline(alertTopicOf(alerts))}`,
    list(firing.map(alertLine)),
    firing.length > 0 && resolved.length > 0 ? "Resolved:" : "",
    list(resolved.map(alertLine)),
  );
}

function alertTopicOf(alerts: AlertGroup["alerts"]): string {
  const names = [...new Set(alerts.map(nameOf))];
  return `${names[0] ?? "no alert"}${names.length > 1 ? ` and ${names.length - 1} more` : ""}`;
}

function alertLine(one: Static<typeof alert>): string {
  const what = textAt(one.annotations, "summary") || textAt(one.annotations, "description") || nameOf(one);
  const labels = Object.entries(one.labels)
    .filter(([name]) => name !== "alertname")
    .slice(0, MAX_LABELS)
    .map(([name, value]) => `${inline(name, 40)}=${inline(value, 60)}`);
  const source = one.panelURL || one.generatorURL;
  return [bold(what), labels.join(", "), source ? link("source", source) : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

function nameOf(one: Static<typeof alert> | undefined): string {
  return textAt(one?.labels, "alertname");
}
