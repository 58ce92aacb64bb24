import {
  createInvitationLink,
  DEFAULT_INVITATION_MINUTES,
  getInvitations,
  resendInvitation as resendInvitationEndpoint,
  revokeInvitation as revokeInvitationEndpoint,
  revokeInvitationLink,
  sendInvitations as sendInvitationsEndpoint,
} from "../../../api/accounts/invitations.ts";
import { ApiError, errors } from "../../../api/errors.ts";
import { type Role, roles } from "../../../api/roles.ts";
import { ownSiteOf, siteOf } from "../../organization/site.ts";
import { changeContent } from "../../people/viewer/change.ts";
import { checkPerson } from "../../people/viewer/current-viewer.ts";
import { readContent } from "../../people/viewer/read.ts";
import { route } from "../../people/viewer/route.ts";
import type { Viewer } from "../../people/viewer/viewer.ts";
import type { Route } from "../../platform/http/handler.ts";
import type { Services } from "../../services.ts";
import { accessGrant, canSeeInvitation, type InvitationKind } from "./access.ts";
import { createLink, resendInvitation, revokeInvitation, sendInvitations } from "./actions.ts";
import { parseInvitees } from "./invitees.ts";
import { presentInvitation } from "./present.ts";
import { listInvitations } from "./store.ts";

export function invitationRoutes(
  services: Pick<Services, "config" | "keyring" | "mailer" | "organizations">,
): Route[] {
  return [
    route(getInvitations, async ({ state, viewer, baseUrl }) => {
      const site = await siteOf(services, state, baseUrl);
      const all = await readContent(state, viewer, async (tx, reader) => {
        checkPerson(reader);
        const inviterId = reader.user.role > roles.administrator ? reader.user.id : undefined;
        const found = await listInvitations(tx, state.organizationId, inviterId);
        return found.filter((each) => canSeeInvitation(reader, each));
      });
      return { invites: all.map((each) => presentInvitation(services.keyring, site, viewer, each)) };
    }),
    route(sendInvitationsEndpoint, async ({ state, viewer, params }) => {
      const site = await ownSiteOf(services, state);
      const skipped = await changeContent(viewer, (tx) => {
        const grant = grantOf(tx.viewer, "addresses", params);
        const emails = parseInvitees(params.inviteeEmails);
        const notifiesInviter = params.notifyReferrerOnJoin ?? true;
        const period = periodOf(params);
        return sendInvitations(tx, services, { grant, emails, notifiesInviter, ...period, site });
      });
      if (skipped.length === 0) return {};
      // The others are invited, so this comes after the commit.
      throw new ApiError(errors.invitationFailed, {
        reason: "Some of those addresses already have an account. All others were invited.",
        skipped,
        hasSent: true,
        isDailyLimit: false,
      });
    }),
    route(createInvitationLink, async ({ state, viewer, params, baseUrl }) => {
      const site = await siteOf(services, state, baseUrl);
      const link = await changeContent(viewer, (tx) => {
        const grant = grantOf(tx.viewer, "link", params);
        return createLink(tx, services, { grant, ...periodOf(params), site });
      });
      return { invite_link: link };
    }),
    route(resendInvitationEndpoint, async ({ state, viewer, params: { inviteId: id } }) => {
      const site = await ownSiteOf(services, state);
      await changeContent(viewer, (tx) => resendInvitation(tx, services, { id, site }));
      return {};
    }),
    route(revokeInvitationEndpoint, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => revokeInvitation(tx, "addresses", params.inviteId));
      return {};
    }),
    route(revokeInvitationLink, async ({ viewer, params }) => {
      await changeContent(viewer, (tx) => revokeInvitation(tx, "link", params.inviteId));
      return {};
    }),
  ];
}

interface CommonParameters {
  inviteAs?: Role;
  inviteExpiresInMinutes?: number | null;
  includeRealmDefaultSubscriptions?: boolean;
  streamIds?: readonly number[];
  groupIds?: readonly number[];
  welcomeMessageCustomText?: string;
}

function grantOf(viewer: Viewer, kind: InvitationKind, params: CommonParameters) {
  return accessGrant(viewer, kind, {
    role: params.inviteAs ?? roles.member,
    channelIds: params.streamIds ?? [],
    groupIds: params.groupIds ?? [],
    joinsDefaultChannels: params.includeRealmDefaultSubscriptions ?? false,
    welcomeText: params.welcomeMessageCustomText ?? null,
  });
}

function periodOf({ inviteExpiresInMinutes: minutes = DEFAULT_INVITATION_MINUTES }: CommonParameters) {
  const invitedAt = new Date();
  return { invitedAt, expiresAt: minutes === null ? null : new Date(invitedAt.getTime() + minutes * 60_000) };
}
