/** Invitations: to addresses, each for one person, and links for many people. */
import { Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { nullable, userRole } from "../fields.ts";
import {
  MAX_INVITATION_CHANNELS,
  MAX_INVITATION_GROUPS,
  MAX_INVITATION_MINUTES,
  MAX_INVITATIONS_A_CALL,
  MAX_WELCOME_TEXT_LENGTH,
} from "../limits.ts";
import { atMost, highRole, type Proof } from "../proof.ts";
import { roles } from "../roles.ts";

/** Ten days. */
export const DEFAULT_INVITATION_MINUTES = 14_400;

const role = optional(userRole, {
  description:
    "The role of the person who joins: 100 owner, 200 administrator, 300 moderator, 400 member (the default), 600 guest. Only owners invite owners, and only administrators invite administrators and moderators.",
});

const common = {
  invite_expires_in_minutes: optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_INVITATION_MINUTES }), Type.Null()]),
    {
      description: `In how many minutes the invitation expires; \`null\` for never, ${DEFAULT_INVITATION_MINUTES} (ten days) by default.`,
    },
  ),
  invite_as: role,
  include_realm_default_subscriptions: optional(Type.Boolean(), {
    description:
      "Whether the person is subscribed to what are the default channels when they join; `false` by default.",
  }),
  group_ids: optional(Type.Array(Type.Integer(), { maxItems: MAX_INVITATION_GROUPS }), {
    description: "User groups that the person becomes a member of. The caller can add members to them.",
  }),
  welcome_message_custom_text: optional(Type.String({ maxLength: MAX_WELCOME_TEXT_LENGTH }), {
    description:
      "A text for the welcome message, in Markdown, in place of the organization's own. Empty: no text. Without it, the organization's. Only administrators can give one.",
  }),
};

const channels = Type.Array(Type.Integer(), { maxItems: MAX_INVITATION_CHANNELS });
const channelRule =
  "The caller can subscribe others to them, or they are default channels. What the caller may no longer do when the person joins is left out then.";

const invitationErrors = [
  errors.botsNotAccepted,
  errors.mustBeOwner,
  errors.mustBeAdministrator,
  errors.invalidInvitationChannel,
  errors.cannotSubscribeInvited,
  errors.invalidGroup,
  errors.groupDeactivated,
  errors.tooManyInOrganization,
  errors.overQuota,
];

const invitation = Type.Object({
  id: Type.Integer({ description: "The invitation's ID." }),
  invited_by_user_id: Type.Integer({ description: "The ID of the user who invited." }),
  invited: Type.Integer({ description: "When it was made, in UNIX seconds." }),
  expiry_date: nullable(Type.Integer(), "When it expires, in UNIX seconds; `null` for never."),
  invited_as: userRole,
  is_multiuse: Type.Boolean({ description: "Whether it is a link for many people." }),
  email: Type.Optional(Type.String({ description: "The address that was invited. Absent for a link." })),
  notify_referrer_on_join: Type.Optional(
    Type.Boolean({
      description: "Whether the inviter is notified of the person who joins. Absent for a link.",
    }),
  ),
  link_url: Type.Optional(
    Type.String({
      description:
        "The link. Absent where an address was invited, for a link that makes administrators or owners, and in a session for one that makes moderators. These are shown when they are made.",
    }),
  ),
});

export const getInvitations = endpoint({
  name: "getInvitations",
  subject: "Invitations",
  method: "GET",
  path: "/invites",
  access: "member",
  summary: "Get invitations",
  description:
    "Returns the invitations that are open. Administrators get all, and others their own. Only owners get links that make owners.",
  parameters: {},
  reply: { invites: Type.Array(invitation, { description: "The invitations, the oldest first." }) },
  errors: [errors.botsNotAccepted],
  emits: [],
  example: {
    parameters: {},
    reply: {
      invites: [
        {
          id: 1,
          invited_by_user_id: 8,
          invited: 1795352400,
          expiry_date: 1796216400,
          invited_as: roles.member,
          is_multiuse: false,
          email: "fay@demo.test",
          notify_referrer_on_join: true,
        },
      ],
    },
  },
  sample: () => ({}),
});

/** To invite somebody gives them a role. */
const proofOf = (entry: string): Proof => ({
  rules: [
    highRole("invite_as", entry),
    { level: "in a session", when: { invite_as: atMost(roles.moderator) }, entry },
  ],
});

export const sendInvitations = endpoint({
  name: "sendInvitations",
  subject: "Invitations",
  method: "POST",
  path: "/invites",
  access: "member",
  proof: proofOf("invitations_sent"),
  summary: "Send invitations",
  description:
    "Invites people by mail. Each address gets a link by which one person joins with that address. An invitation to an address replaces an earlier one by the same person. If one address is not valid, nobody is invited. Addresses that have an account are skipped, and the error `INVITATION_FAILED` names them, with `sent_invitations: true` if others were invited. An account whose address the caller may not see is not named: it gets a mail that says that it is there, and the answer is that of an invitation.",
  parameters: {
    invitee_emails: required(Type.String({ maxLength: 350 * MAX_INVITATIONS_A_CALL }), {
      description: `The addresses, at most ${MAX_INVITATIONS_A_CALL}, with commas or line breaks between them.`,
    }),
    stream_ids: required(channels, {
      description: `The channels that the person is subscribed to. ${channelRule}`,
    }),
    ...common,
    notify_referrer_on_join: optional(Type.Boolean(), {
      description: "Whether the caller gets a message when the person joins; `true` by default.",
    }),
  },
  reply: {},
  errors: [
    ...invitationErrors,
    errors.noInvitees,
    errors.tooManyInvitees,
    errors.invitationFailed,
    errors.mailNotConfigured,
  ],
  emits: ["invites_changed"],
  example: {
    parameters: { invitee_emails: "fay@demo.test, gil@demo.test", stream_ids: [] },
    reply: {},
  },
  sample: (ids) => ({ invitee_emails: `${ids.freshName}@demo.test`, stream_ids: [] }),
});

export const createInvitationLink = endpoint({
  name: "createInvitationLink",
  subject: "Invitations",
  method: "POST",
  path: "/invites/multiuse",
  access: "member",
  proof: proofOf("invitation_link_created"),
  summary: "Create an invitation link",
  description:
    "Creates a link by which many people can join. Each gives an address, and proves by a link in a mail that it is theirs. On a server without mail only administrators' links work, and addresses are taken as given.",
  parameters: {
    ...common,
    stream_ids: optional(channels, {
      description: `The channels that people are subscribed to. ${channelRule}`,
    }),
  },
  reply: { invite_link: Type.String({ description: "The link." }) },
  errors: [...invitationErrors, errors.mailNeededForLinks],
  emits: ["invites_changed"],
  example: {
    parameters: { invite_as: roles.guest, stream_ids: [] },
    reply: { invite_link: "https://chat.example.com/join/t0pGv1Qq9f2yV3Zk5xJm8hB7nRwLc4sDaEuKiYoT6M0" },
  },
  sample: () => ({ invite_as: roles.guest }),
});

export const resendInvitation = endpoint({
  name: "resendInvitation",
  subject: "Invitations",
  method: "POST",
  path: "/invites/{invite_id}/resend",
  access: "member",
  summary: "Send an invitation again",
  description:
    "Sends the mail again, with a new link. The earlier link no longer works. The time at which the invitation expires stays.",
  parameters: { invite_id: inPath(Type.Integer(), { description: "An invitation of an address." }) },
  reply: {},
  errors: [
    errors.botsNotAccepted,
    errors.noSuchInvitation,
    errors.mustBeOwner,
    errors.overQuota,
    errors.invitationFailed,
    errors.mailNotConfigured,
  ],
  emits: ["invites_changed"],
  example: { parameters: { invite_id: 1 }, reply: {} },
  sample: (ids) => ({ invite_id: ids.invitationId }),
});

export const revokeInvitation = endpoint({
  name: "revokeInvitation",
  subject: "Invitations",
  method: "DELETE",
  path: "/invites/{invite_id}",
  access: "member",
  summary: "Revoke an invitation",
  description: "Ends the invitation of an address. Its link no longer works.",
  parameters: { invite_id: inPath(Type.Integer(), { description: "An invitation of an address." }) },
  reply: {},
  errors: [errors.botsNotAccepted, errors.noSuchInvitation, errors.mustBeOwner],
  emits: ["invites_changed"],
  example: { parameters: { invite_id: 1 }, reply: {} },
  sample: (ids) => ({ invite_id: ids.invitationId }),
});

export const revokeInvitationLink = endpoint({
  name: "revokeInvitationLink",
  subject: "Invitations",
  method: "DELETE",
  path: "/invites/multiuse/{invite_id}",
  access: "member",
  summary: "Revoke an invitation link",
  description: "Ends a link for many people. Those who have joined stay.",
  parameters: { invite_id: inPath(Type.Integer(), { description: "A link for many people." }) },
  reply: {},
  errors: [errors.botsNotAccepted, errors.noSuchInvitation],
  emits: ["invites_changed"],
  example: { parameters: { invite_id: 3 }, reply: {} },
  sample: (ids) => ({ invite_id: ids.invitationLinkId }),
});
