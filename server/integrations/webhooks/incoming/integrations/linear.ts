import { type Static, Type } from "typebox";
import { event, eventName, integration, maybe } from "../integration.ts";
import { bold, inline, link, list, paragraphs, quoted } from "../outside-text.ts";
import { textAt, valueAt } from "../value-at.ts";

const named = maybe(Type.Object({ name: maybe(Type.String()) }));
const issue = Type.Object({
  identifier: Type.String(),
  title: Type.String(),
  description: maybe(Type.String()),
  priorityLabel: maybe(Type.String()),
  state: named,
  assignee: named,
  team: named,
});
const common = { actor: named, url: maybe(Type.String()) };

const aboutIssue = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ ...common, data: issue }),
    topic: ({ data }) => topicOf(data),
    message: ({ actor, url, data }) =>
      paragraphs(
        `${nameOf(actor)} ${did} ${titleOf(data, url)}`,
        did === "created" ? quoted(data.description) : "",
      ),
  });

export const linear = integration({
  name: "linear",
  title: "Linear",
  setup: [
    "In Linear, open Settings, API, Webhooks, create one, and paste this address as its URL:",
    "Copy the signing secret that Linear shows, and put it into the address as `secret`: Linear signs all that it sends.",
    "Choose the kinds of data, and save.",
  ],
  signature: { headers: ["Linear-Signature"], kind: "hmac-sha256" },
  deliveryHeaders: ["Linear-Delivery"],
  eventOf: ({ payload }) => eventName(textAt(payload, "type").toLowerCase(), textAt(payload, "action")),
  events: {
    "issue.create": aboutIssue("created", "An issue was created."),
    "issue.remove": aboutIssue("deleted", "An issue was deleted."),
    "issue.update": event({
      description: "The state, assignee, priority or title of an issue was changed.",
      payload: Type.Object({ ...common, data: issue, updatedFrom: maybe(Type.Unknown()) }),
      topic: ({ data }) => topicOf(data),
      message({ actor, url, data, updatedFrom }) {
        const changes = changesOf(data, updatedFrom);
        // Linear also sends every change of a description and of the order.
        if (changes.length === 0) return undefined;
        return paragraphs(`${nameOf(actor)} changed ${titleOf(data, url)}`, list(changes));
      },
    }),
    "comment.create": event({
      description: "Somebody commented on an issue.",
      payload: Type.Object({
        ...common,
        data: Type.Object({
          body: Type.String(),
          issue: maybe(Type.Object({ identifier: maybe(Type.String()), title: Type.String() })),
        }),
      }),
      topic: ({ data: { issue: on } }) => (on ? topicOf({ ...on, identifier: on.identifier ?? "" }) : ""),
      message: ({ actor, url, data: { body, issue: on } }) =>
        paragraphs(
          `${nameOf(actor)} ${link("commented", url)}${on ? ` on ${inline(on.title)}` : ""}`,
          quoted(body),
        ),
    }),
    "projectupdate.create": event({
      description: "Somebody wrote an update of a project.",
      payload: Type.Object({
        ...common,
        data: Type.Object({
          body: maybe(Type.String()),
          health: maybe(Type.String()),
          project: named,
        }),
      }),
      topic: ({ data: { project } }) => project?.name ?? "",
      message: ({ actor, url, data: { body, health, project } }) =>
        paragraphs(
          `${nameOf(actor)} wrote ${link("an update", url)} of ${bold(project?.name ?? "a project")}${health ? `: ${inline(health)}` : ""}`,
          quoted(body),
        ),
    }),
  },
});

function changesOf(data: Static<typeof issue>, before: unknown): string[] {
  const has = (name: string) => valueAt(before, name) !== undefined;
  return [
    ...(has("stateId") && data.state?.name ? [`State: ${inline(data.state.name)}`] : []),
    ...(has("assigneeId") ? [`Assignee: ${inline(data.assignee?.name ?? "nobody")}`] : []),
    ...(has("priority") && data.priorityLabel ? [`Priority: ${inline(data.priorityLabel)}`] : []),
    ...(has("title") ? [`Title: it was ${inline(textAt(before, "title"))}`] : []),
  ];
}

function topicOf({ identifier, title }: { identifier: string; title: string }): string {
  return `${identifier} ${title}`;
}

function titleOf({ identifier, title }: Static<typeof issue>, url: string | null | undefined): string {
  return `${link(identifier, url)}: ${inline(title)}`;
}

function nameOf(who: Static<typeof named> | undefined): string {
  return who?.name ? inline(who.name) : "Somebody";
}
