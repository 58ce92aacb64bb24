import { Type } from "typebox";
import { acted, branchTopic, commit, numberedTopic, pushed } from "../code-host.ts";
import {
  at,
  comment,
  common,
  issue,
  issueComment,
  numbered,
  pullRequest,
  release,
} from "../github-events.ts";
import { event, eventName, integration, maybe, requiredHeader } from "../integration.ts";
import { bold, inline, link, paragraphs, quoted } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

export const github = integration({
  name: "github",
  title: "GitHub",
  setup: [
    "In the repository or the organization on GitHub, open Settings, Webhooks, Add webhook, and paste this address as the payload URL:",
    "Choose the content type `application/json`.",
    "If you enter a secret, put the same into the address as `secret`.",
    "Choose the events, and save.",
  ],
  signature: { headers: ["X-Hub-Signature-256"], kind: "hmac-sha256", prefix: "sha256=" },
  deliveryHeaders: ["X-GitHub-Delivery"],
  eventOf(delivery) {
    const name = requiredHeader(delivery, "X-GitHub-Event");
    return eventName(name, textAt(delivery.payload, "action"));
  },
  events: {
    ping: event({
      description: "The webhook was set up.",
      payload: Type.Object({ zen: maybe(Type.String()) }),
      message: ({ zen }) => paragraphs("GitHub is connected.", quoted(zen)),
    }),
    push: event({
      description: "Commits were pushed, or a branch or tag was deleted.",
      payload: Type.Object({
        ...common,
        ref: Type.String(),
        before: Type.String(),
        after: Type.String(),
        forced: maybe(Type.Boolean()),
        compare: maybe(Type.String()),
        commits: Type.Array(commit),
      }),
      topic: ({ repository, ref }) => branchTopic(repository.name, ref),
      message: ({ sender, forced, compare, ...push }) =>
        pushed({ ...push, who: sender.login, url: compare, isForced: forced ?? false }),
    }),
    fork: event({
      description: "Somebody made a fork.",
      payload: Type.Object({
        ...common,
        forkee: Type.Object({ full_name: Type.String(), html_url: Type.String() }),
      }),
      topic: ({ repository }) => repository.name,
      message: ({ sender, forkee }) =>
        `${inline(sender.login)} made the fork ${link(forkee.full_name, forkee.html_url)}.`,
    }),
    "issues.opened": issue("opened", "An issue was opened."),
    "issues.closed": issue("closed", "An issue was closed."),
    "issues.reopened": issue("reopened", "An issue was opened again."),
    "issue_comment.created": issueComment,
    "pull_request.opened": pullRequest("opened", "A pull request was opened."),
    "pull_request.closed": pullRequest("closed", "A pull request was merged or closed."),
    "pull_request.reopened": pullRequest("reopened", "A pull request was opened again."),
    "pull_request.ready_for_review": pullRequest("asked for a review of", "A draft became a pull request."),
    "pull_request_review.submitted": event({
      description: "Somebody reviewed a pull request.",
      payload: Type.Object({
        ...common,
        pull_request: numbered,
        review: Type.Object({ state: Type.String(), html_url: Type.String(), body: maybe(Type.String()) }),
      }),
      topic: ({ repository, pull_request: { number, title } }) =>
        numberedTopic(repository.name, number, title),
      message({ sender, pull_request: pull, review: { state, html_url, body } }) {
        const did = reviews.get(state.toLowerCase()) ?? "reviewed";
        return acted(sender.login, link(did, html_url), "pull request", at(pull), { body });
      },
    }),
    "pull_request_review_comment.created": event({
      description: "Somebody commented on a line of a pull request.",
      payload: Type.Object({
        ...common,
        pull_request: numbered,
        comment: Type.Object({ ...comment.properties, path: maybe(Type.String()) }),
      }),
      topic: ({ repository, pull_request: { number, title } }) =>
        numberedTopic(repository.name, number, title),
      message({ sender, pull_request: pull, comment: { html_url, body, path } }) {
        const did = `${link("commented", html_url)}${path ? ` on ${inline(path)}` : ""} in`;
        return acted(sender.login, did, "pull request", at(pull), { body });
      },
    }),
    "release.published": release,
    "workflow_run.completed": event({
      description: "A workflow ended.",
      payload: Type.Object({
        ...common,
        workflow_run: Type.Object({
          name: maybe(Type.String()),
          run_number: Type.Integer(),
          conclusion: maybe(Type.String()),
          head_branch: maybe(Type.String()),
          html_url: Type.String(),
        }),
      }),
      topic: ({ repository, workflow_run: { head_branch } }) =>
        branchTopic(repository.name, head_branch || "workflows"),
      message({ workflow_run: { name, run_number, conclusion, head_branch, html_url } }) {
        const run = link(`${name ?? "Workflow"} #${run_number}`, html_url);
        const place = head_branch ? ` on ${bold(head_branch)}` : "";
        return `${run}${place}: ${inline(conclusion ?? "unknown")}.`;
      },
    }),
    "discussion.created": event({
      description: "Somebody began a discussion.",
      payload: Type.Object({ ...common, discussion: numbered }),
      topic: ({ repository, discussion: { number, title } }) => numberedTopic(repository.name, number, title),
      message: ({ sender, discussion }) =>
        acted(sender.login, "began", "discussion", at(discussion), { body: discussion.body }),
    }),
  },
});

const reviews = new Map([
  ["approved", "approved"],
  ["changes_requested", "requested changes to"],
  ["commented", "reviewed"],
]);
