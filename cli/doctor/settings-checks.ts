/** What doctor says about settings that need no trial. No finding has a password or a key. */
import type { Config } from "../../server/config.ts";
import { type Finding, passed } from "./checks.ts";

export function describeSettings(config: Config): Finding[] {
  return [passed(mail(config)), passed(outgoing(config)), passed(tokens(config))];
}

function mail({ mail: set, isDevelopment }: Config): string {
  if (set) return `Mail goes through ${set.smtp.host}, from ${set.sender.address}.`;
  if (isDevelopment) return "Mail is kept for the page of a development server, and not sent.";
  return "No mail is sent. PARLEY_SMTP_URL and PARLEY_MAIL_FROM set that up.";
}

function outgoing({ outgoingAllow }: Config): string {
  if (outgoingAllow.length === 0) return "Webhooks of people can't reach addresses inside the network.";
  return `Webhooks of people can reach these addresses inside the network: ${outgoingAllow.join(", ")}.`;
}

function tokens({ jwtKeys }: Config): string {
  if (jwtKeys.size === 0) return "Nobody signs in by JSON web token.";
  return `JSON web tokens are taken for ${[...jwtKeys.keys()].join(", ")}.`;
}
