/**
 * Further organizations, by anyone, where PARLEY_OPEN_ORGANIZATIONS allows it. People who ask get a link by
 * mail, and choose a name below the installation's host name.
 */
import { ApiError, errors } from "../../../api/errors.ts";
import { parseEmail } from "../../people/names.ts";
import { networkOf } from "../../platform/http/rate-limit.ts";
import { runContentChange } from "../../platform/log/change.ts";
import { enqueueMail } from "../../platform/mail/enqueue.ts";
import type { Services } from "../../services.ts";
import { createLinkMail } from "./mails.ts";
import { countMailed, hasRecentMail, insertInvitation } from "./store.ts";

const HOURS = 24;
/** Mails that one network gets sent in a day. */
const MAX_OF_NETWORK = 5;
/** Mails to all addresses in a day, so that many networks together don't make the server a source of spam. */
const MAX_OF_ALL = 200;
const MINUTES_BETWEEN_MAILS = 5;

const SUBDOMAIN = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/;
/** Names that people take for the installation's own, or that clients look up by themselves. */
const RESERVED = new Set([
  ...[
    "www",
    "web",
    "app",
    "api",
    "admin",
    "root",
    "login",
    "auth",
    "account",
    "accounts",
    "security",
    "support",
  ],
  ...["help", "docs", "blog", "status", "static", "assets", "cdn", "files", "uploads", "test", "localhost"],
  ...[
    "mail",
    "email",
    "smtp",
    "imap",
    "pop",
    "autoconfig",
    "autodiscover",
    "mta-sts",
    "webmail",
    "postmaster",
  ],
  ...["ftp", "ssh", "vpn", "dns", "ns1", "ns2", "wpad", "isatap", "abuse", "noreply", "no-reply", "parley"],
]);

/** Whether anyone may ask for an organization of their own. The first one is its operator's. */
export async function isOpenToAnyone({
  config,
  organizations,
}: Pick<Services, "config" | "organizations">): Promise<boolean> {
  return config.hasOpenOrganizations && (await organizations.primary()) !== undefined;
}

/**
 * Mails a link by which one creates an organization. An address that got one in the last minutes gets none,
 * and the answer is the same. Throws `invalidEmail`, and `rateLimitHit` past the limit of a network.
 */
export async function requestOrganization(
  services: Pick<Services, "config" | "keyring" | "organizations">,
  text: string,
  address: string,
): Promise<void> {
  const email = parseEmail(text);
  const network = networkOf(address);
  const primary = await services.organizations.primary();
  if (!primary || !services.config.publicUrl) throw new Error("the installation is not open");
  const site = services.config.publicUrl;
  // The mail waits with those of the first organization, since there is no other yet.
  await runContentChange(primary, async (tx) => {
    const { ofNetwork, ofAll } = await countMailed(tx, network, HOURS);
    if (ofNetwork >= MAX_OF_NETWORK || ofAll >= MAX_OF_ALL)
      throw new ApiError(errors.rateLimitHit, { retryAfter: HOURS * 3600 });
    if (await hasRecentMail(tx, email, MINUTES_BETWEEN_MAILS)) return;
    const token = services.keyring.newToken();
    await insertInvitation(tx, services.keyring.hash(token), { email, network });
    await enqueueMail(tx, services, {
      kind: "new organization",
      to: email,
      content: createLinkMail(`${site}/new/${token}`),
    });
  });
}

/** Returns the name in lower case. Throws `invalidHost` for one that is none, or that nobody may take. */
export function parseSubdomain(text: string): string {
  const subdomain = text.trim().toLowerCase();
  if (!SUBDOMAIN.test(subdomain) || RESERVED.has(subdomain))
    throw new ApiError(errors.invalidHost, { host: subdomain });
  return subdomain;
}

/** The host name of an organization with this name. */
export function hostOfSubdomain(publicUrl: string, subdomain: string): string {
  return `${subdomain}.${new URL(publicUrl).hostname}`;
}
