import { Type } from "typebox";
import { event, integration, maybe } from "../integration.ts";
import { bold, clean, inline, link, list, paragraphs, quoted } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

const MAX_VALUE = 60;
const user = maybe(Type.Object({ displayName: maybe(Type.String()) }));
const named = maybe(Type.Object({ name: maybe(Type.String()) }));
const issue = Type.Object({
  key: Type.String(),
  self: maybe(Type.String()),
  fields: Type.Object({
    summary: Type.String(),
    // Text in Jira Server and in webhooks of Jira Cloud.
    description: maybe(Type.Unknown()),
    issuetype: named,
    priority: named,
    status: named,
    assignee: user,
  }),
});

const aboutIssue = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ user, issue }),
    topic: ({ issue: one }) => topicOf(one),
    message({ user: who, issue: one }) {
      const { issuetype, priority, assignee, description: body } = one.fields;
      const facts = [
        issuetype?.name ? inline(issuetype.name) : "",
        priority?.name ? `priority ${inline(priority.name)}` : "",
        assignee?.displayName ? `assigned to ${inline(assignee.displayName)}` : "",
      ].filter((fact) => fact !== "");
      return paragraphs(
        `${nameOf(who)} ${did} ${titleOf(one)}`,
        did === "created" ? facts.join(", ") : "",
        did === "created" && typeof body === "string" ? quoted(body) : "",
      );
    },
  });

export const jira = integration({
  name: "jira",
  title: "Jira",
  setup: [
    "As an administrator of Jira, open System, WebHooks, create one, and paste this address as its URL:",
    "If you enter a secret, put the same into the address as `secret`.",
    "Choose the events of issues and comments, and create the webhook.",
  ],
  signature: { headers: ["X-Hub-Signature"], kind: "hmac-sha256", prefix: "sha256=" },
  deliveryHeaders: ["X-Atlassian-Webhook-Identifier"],
  eventOf: ({ payload }) => textAt(payload, "webhookEvent"),
  events: {
    "jira:issue_created": aboutIssue("created", "An issue was created."),
    "jira:issue_deleted": aboutIssue("deleted", "An issue was deleted."),
    "jira:issue_updated": event({
      description: "Fields of an issue were changed.",
      payload: Type.Object({
        user,
        issue,
        changelog: maybe(Type.Object({ items: Type.Array(Type.Unknown()) })),
      }),
      topic: ({ issue: one }) => topicOf(one),
      message({ user: who, issue: one, changelog }) {
        const changes = (changelog?.items ?? []).map(changeOf).filter((change) => change !== "");
        // Comments come as events of their own.
        if (changes.length === 0) return undefined;
        return paragraphs(`${nameOf(who)} changed ${titleOf(one)}`, list(changes));
      },
    }),
    comment_created: event({
      description: "Somebody commented on an issue.",
      payload: Type.Object({
        issue,
        comment: Type.Object({ author: user, body: Type.Unknown() }),
      }),
      topic: ({ issue: one }) => topicOf(one),
      message: ({ issue: one, comment: { author, body } }) =>
        paragraphs(
          `${nameOf(author)} commented on ${titleOf(one)}`,
          typeof body === "string" ? quoted(body) : "",
        ),
    }),
  },
});

/** A value has no text of its own in some fields; long ones, such as descriptions, are only named. */
function changeOf(item: unknown): string {
  const [field, from, to] = ["field", "fromString", "toString"].map((name) => textAt(item, name));
  if (!field) return "";
  const isLong = [from, to].some((value) => (value ?? "").length > MAX_VALUE);
  if (isLong) return bold(field);
  return `${bold(field)}: ${from ? `${inline(from)} → ` : ""}${to ? inline(to) : "none"}`;
}

interface NamedIssue {
  key: string;
  self?: string | null | undefined;
  fields: { summary: string };
}

function topicOf({ key, fields }: NamedIssue): string {
  return `${key} ${fields.summary}`;
}

/** Jira sends the address of its API. The page of the issue is on the same host. */
function titleOf({ key, self, fields }: NamedIssue): string {
  const host = self && URL.canParse(self) ? new URL(self).origin : undefined;
  const page = host && `${host}/browse/${encodeURIComponent(clean(key))}`;
  return `${link(key, page)}: ${inline(fields.summary)}`;
}

function nameOf(who: { displayName?: string | null | undefined } | null | undefined): string {
  return who?.displayName ? inline(who.displayName) : "Somebody";
}
