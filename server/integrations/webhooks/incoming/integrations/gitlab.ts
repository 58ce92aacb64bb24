import { Type } from "typebox";
import { acted, branchTopic, commit, numberedTopic, pushed } from "../code-host.ts";
import { event, eventName, integration, maybe } from "../integration.ts";
import { bold, inline, link, paragraphs, quoted } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

const project = Type.Object({ name: Type.String(), web_url: Type.String() });
const user = Type.Object({ name: Type.String() });
const common = { project, user };
const numbered = Type.Object({
  iid: Type.Integer(),
  title: Type.String(),
  url: maybe(Type.String()),
  description: maybe(Type.String()),
});

const push = (description: string) =>
  event({
    description,
    payload: Type.Object({
      project,
      user_name: Type.String(),
      ref: Type.String(),
      before: Type.String(),
      after: Type.String(),
      total_commits_count: maybe(Type.Integer()),
      commits: Type.Array(commit),
    }),
    topic: ({ project: { name }, ref }) => branchTopic(name, ref),
    message: ({ project: { web_url }, user_name, before, after, total_commits_count, ...rest }) =>
      pushed({
        ...rest,
        who: user_name,
        before,
        after,
        count: total_commits_count ?? undefined,
        url: `${web_url}/-/compare/${before}...${after}`,
      }),
  });

const issue = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ ...common, object_attributes: numbered }),
    topic: ({ project: { name }, object_attributes: { iid, title } }) => numberedTopic(name, iid, title),
    message: ({ user: { name }, object_attributes: { iid, title, url, description: body } }) =>
      acted(name, did, "issue", { number: iid, title, url }, did === "opened" ? { body } : {}),
  });

const mergeRequest = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ ...common, object_attributes: numbered }),
    topic: ({ project: { name }, object_attributes: { iid, title } }) => numberedTopic(name, iid, title, "!"),
    message: ({ user: { name }, object_attributes: { iid, title, url, description: body } }) =>
      acted(
        name,
        did,
        "merge request",
        { number: iid, title, url },
        {
          sign: "!",
          body: did === "opened" ? body : undefined,
        },
      ),
  });

const pipeline = (description: string) =>
  event({
    description,
    payload: Type.Object({
      project,
      object_attributes: Type.Object({
        id: Type.Integer(),
        ref: Type.String(),
        status: Type.String(),
        duration: maybe(Type.Number()),
      }),
    }),
    topic: ({ project: { name }, object_attributes: { ref } }) => branchTopic(name, ref),
    message({ project: { web_url }, object_attributes: { id, ref, status, duration } }) {
      const run = link(`Pipeline #${id}`, `${web_url}/-/pipelines/${id}`);
      const took = duration ? ` after ${Math.round(duration)} s` : "";
      return `${run} on ${bold(ref)}: ${inline(status)}${took}.`;
    },
  });

export const gitlab = integration({
  name: "gitlab",
  title: "GitLab",
  setup: [
    "In the project or the group on GitLab, open Settings, Webhooks, and paste this address as the URL:",
    "If you enter a secret token, put the same into the address as `secret`.",
    "Choose the triggers, and add the webhook.",
  ],
  signature: { headers: ["X-Gitlab-Token"], kind: "token" },
  deliveryHeaders: ["Idempotency-Key"],
  eventOf({ payload }) {
    const kind = textAt(payload, "object_kind");
    const did = textAt(payload, `object_attributes.${kind === "pipeline" ? "status" : "action"}`);
    // Comments have an action in new versions only.
    return kind === "note" ? kind : eventName(kind, did || textAt(payload, "action"));
  },
  events: {
    push: push("Commits were pushed, or a branch was deleted."),
    tag_push: push("A tag was pushed or deleted."),
    "issue.open": issue("opened", "An issue was opened."),
    "issue.close": issue("closed", "An issue was closed."),
    "issue.reopen": issue("reopened", "An issue was opened again."),
    "merge_request.open": mergeRequest("opened", "A merge request was opened."),
    "merge_request.close": mergeRequest("closed", "A merge request was closed."),
    "merge_request.reopen": mergeRequest("reopened", "A merge request was opened again."),
    "merge_request.merge": mergeRequest("merged", "A merge request was merged."),
    "merge_request.approved": mergeRequest("approved", "A merge request was approved."),
    note: event({
      description: "Somebody commented on an issue, a merge request, a commit or a snippet.",
      payload: Type.Object({
        ...common,
        object_attributes: Type.Object({ note: Type.String(), url: maybe(Type.String()) }),
        issue: maybe(numbered),
        merge_request: maybe(numbered),
      }),
      topic({ project: { name }, issue: onIssue, merge_request }) {
        if (onIssue) return numberedTopic(name, onIssue.iid, onIssue.title);
        if (merge_request) return numberedTopic(name, merge_request.iid, merge_request.title, "!");
        return name;
      },
      message({ user: { name }, object_attributes: { note, url }, issue: onIssue, merge_request }) {
        const on = onIssue
          ? ` on issue #${onIssue.iid}: ${inline(onIssue.title)}`
          : merge_request
            ? ` on merge request !${merge_request.iid}: ${inline(merge_request.title)}`
            : "";
        return paragraphs(`${inline(name)} ${link("commented", url)}${on}`, quoted(note));
      },
    }),
    "pipeline.success": pipeline("A pipeline succeeded."),
    "pipeline.failed": pipeline("A pipeline failed."),
    "pipeline.canceled": pipeline("A pipeline was canceled."),
    "release.create": event({
      description: "A release was published.",
      payload: Type.Object({
        project,
        tag: Type.String(),
        name: maybe(Type.String()),
        url: maybe(Type.String()),
        description: maybe(Type.String()),
      }),
      topic: ({ project: { name } }) => `${name} / releases`,
      message: ({ tag, name, url, description }) =>
        paragraphs(`Release ${link(name || tag, url)} was published.`, quoted(description)),
    }),
  },
});
