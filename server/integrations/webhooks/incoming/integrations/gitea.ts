import { Type } from "typebox";
import { branchTopic, commit, pushed } from "../code-host.ts";
import { common, issue, issueComment, pullRequest, release } from "../github-events.ts";
import { event, eventName, integration, maybe, requiredHeader } from "../integration.ts";
import { bold, inline } from "../outside-text.ts";
import { textAt } from "../value-at.ts";

const ref = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ ...common, ref: Type.String(), ref_type: Type.String() }),
    topic: ({ repository, ref: name }) => branchTopic(repository.name, name),
    message: ({ sender, ref: name, ref_type }) =>
      `${inline(sender.login)} ${did} the ${inline(ref_type)} ${bold(name)}.`,
  });

export const gitea = integration({
  name: "gitea",
  title: "Gitea and Forgejo",
  setup: [
    "In the repository or the organization, open Settings, Webhooks, Add webhook, Gitea or Forgejo, and paste this address as the target URL:",
    "Choose the method POST and the content type `application/json`.",
    "If you enter a secret, put the same into the address as `secret`.",
    "Choose the events, and save.",
  ],
  signature: { headers: ["X-Gitea-Signature", "X-Forgejo-Signature"], kind: "hmac-sha256" },
  deliveryHeaders: ["X-Gitea-Delivery", "X-Forgejo-Delivery"],
  eventOf(delivery) {
    const name = requiredHeader(delivery, "X-Gitea-Event", "X-Forgejo-Event");
    return eventName(name, textAt(delivery.payload, "action"));
  },
  events: {
    push: event({
      description: "Commits were pushed.",
      payload: Type.Object({
        ...common,
        ref: Type.String(),
        before: Type.String(),
        after: Type.String(),
        compare_url: maybe(Type.String()),
        total_commits: maybe(Type.Integer()),
        commits: maybe(Type.Array(commit)),
      }),
      topic: ({ repository, ref: name }) => branchTopic(repository.name, name),
      message: ({ sender, compare_url, total_commits, commits, ...push }) =>
        pushed({
          ...push,
          who: sender.login,
          url: compare_url,
          commits: commits ?? [],
          count: total_commits ?? undefined,
        }),
    }),
    create: ref("created", "A branch or a tag was created."),
    delete: ref("deleted", "A branch or a tag was deleted."),
    "issues.opened": issue("opened", "An issue was opened."),
    "issues.closed": issue("closed", "An issue was closed."),
    "issues.reopened": issue("reopened", "An issue was opened again."),
    "issue_comment.created": issueComment,
    "pull_request.opened": pullRequest("opened", "A pull request was opened."),
    "pull_request.closed": pullRequest("closed", "A pull request was merged or closed."),
    "pull_request.reopened": pullRequest("reopened", "A pull request was opened again."),
    "release.published": release,
  },
});
