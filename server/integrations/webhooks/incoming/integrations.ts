import type { Integration } from "./integration.ts";
import { alertmanager } from "./integrations/alertmanager.ts";
import { gitea } from "./integrations/gitea.ts";
import { github } from "./integrations/github.ts";
import { gitlab } from "./integrations/gitlab.ts";
import { grafana } from "./integrations/grafana.ts";
import { jenkins } from "./integrations/jenkins.ts";
import { jira } from "./integrations/jira.ts";
import { json } from "./integrations/json.ts";
import { linear } from "./integrations/linear.ts";
import { sentry } from "./integrations/sentry.ts";
import { slackIncoming } from "./integrations/slack-incoming.ts";
import { uptimerobot } from "./integrations/uptimerobot.ts";

/** Every integration, in the order of the page. The first two take what any program sends. */
export const integrations: readonly Integration[] = [
  json,
  slackIncoming,
  alertmanager,
  gitea,
  github,
  gitlab,
  grafana,
  jenkins,
  jira,
  linear,
  sentry,
  uptimerobot,
];

const byName = new Map(integrations.map((one) => [one.name, one]));

export function findIntegration(name: string): Integration | undefined {
  return byName.get(name);
}
