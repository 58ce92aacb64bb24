import { Type } from "typebox";
import { event, eventName, integration, maybe, requiredHeader } from "../integration.ts";
import { bold, inline, link, paragraphs, quoted } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

const project = Type.Object({ name: maybe(Type.String()), slug: Type.String() });

const issue = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({
      actor: maybe(Type.Object({ name: maybe(Type.String()) })),
      data: Type.Object({
        issue: Type.Object({
          shortId: Type.String(),
          title: Type.String(),
          culprit: maybe(Type.String()),
          level: maybe(Type.String()),
          web_url: maybe(Type.String()),
          permalink: maybe(Type.String()),
          project,
        }),
      }),
    }),
    topic: ({ data: { issue: one } }) => `${one.project.slug} / ${one.shortId}`,
    message({ actor, data: { issue: one } }) {
      const by = actor?.name && did !== "is new" ? ` by ${inline(actor.name)}` : "";
      const named = link(one.shortId, one.web_url ?? one.permalink);
      return paragraphs(
        `Issue ${named} ${did}${by}: ${bold(one.title)}`,
        [one.culprit, one.level].flatMap((fact) => (fact ? inline(fact) : [])).join(" · "),
      );
    },
  });

const metricAlert = (state: string, description: string) =>
  event({
    description,
    payload: Type.Object({
      data: Type.Object({
        description_title: Type.String(),
        description_text: maybe(Type.String()),
        web_url: maybe(Type.String()),
      }),
    }),
    topic: ({ data: { description_title } }) =>
      description_title.replace(/^(Critical|Warning|Resolved): /, ""),
    message: ({ data: { description_title, description_text, web_url } }) =>
      paragraphs(`Alert ${state}: ${link(description_title, web_url)}`, quoted(description_text)),
  });

export const sentry = integration({
  name: "sentry",
  title: "Sentry",
  setup: [
    "In Sentry, open Settings, Developer Settings, create an internal integration, and paste this address as its webhook URL:",
    "Save it, copy its client secret, and put that into the address as `secret`: Sentry signs all that it sends.",
    "Turn on “Alert Rule Action”, and choose the webhooks for issues.",
    "Add the integration to the actions of your alerts.",
  ],
  signature: { headers: ["Sentry-Hook-Signature"], kind: "hmac-sha256" },
  deliveryHeaders: ["Request-ID"],
  eventOf: (delivery) =>
    eventName(requiredHeader(delivery, "Sentry-Hook-Resource"), textAt(delivery.payload, "action")),
  events: {
    "event_alert.triggered": event({
      description: "An alert for issues was triggered.",
      payload: Type.Object({
        data: Type.Object({
          event: Type.Object({
            title: Type.String(),
            web_url: maybe(Type.String()),
            culprit: maybe(Type.String()),
            level: maybe(Type.String()),
            environment: maybe(Type.String()),
          }),
          triggered_rule: maybe(Type.String()),
        }),
      }),
      topic: ({ data: { triggered_rule } }) => triggered_rule ?? "",
      message({ data: { event: one, triggered_rule } }) {
        const facts = [one.culprit, one.level, one.environment].flatMap((fact) => (fact ? inline(fact) : []));
        return paragraphs(
          `${link(one.title, one.web_url)}${triggered_rule ? ` triggered the alert ${bold(triggered_rule)}` : ""}`,
          facts.join(" · "),
        );
      },
    }),
    "metric_alert.critical": metricAlert("critical", "A metric alert became critical."),
    "metric_alert.warning": metricAlert("warning", "A metric alert became a warning."),
    "metric_alert.resolved": metricAlert("resolved", "A metric alert ended."),
    "issue.created": issue("is new", "An issue was created."),
    "issue.resolved": issue("was resolved", "An issue was resolved."),
    "issue.unresolved": issue("is unresolved again", "An issue became unresolved again."),
    "issue.assigned": issue("was assigned", "An issue was assigned."),
    "issue.archived": issue("was archived", "An issue was archived."),
  },
});
