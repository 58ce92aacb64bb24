/** The errors of what an organization lists: linkifiers, exports, invitations and so on. Part of `errors`. */
import { bad, declare } from "../error-declaration.ts";

interface InvitationFailure {
  reason: string;
  /** The address, what is wrong with it, and whether it is a deactivated account's. */
  skipped: readonly (readonly [string, string, boolean])[];
  hasSent: boolean;
  isDailyLimit: boolean;
}

export const organizationErrors = {
  // Linkifiers.
  linkifierNotFound: bad("Linkifier not found."),
  badRegularExpression: bad<{ reason: string }>(({ reason }) => `Bad regular expression: ${reason}`),
  regularExpressionTooLarge: bad("The regular expression is too large."),
  regularExpressionMatchesNothing: bad("The regular expression must not match the empty text."),
  linkifierPatternTaken: bad("A linkifier with this regular expression already exists."),
  groupNotInPattern: bad<{ name: string }>(
    ({ name }) => `Group '${name}' in URL template is not present in linkifier pattern.`,
  ),
  groupNotInTemplate: bad<{ name: string }>(
    ({ name }) => `Group '${name}' in linkifier pattern is not present in URL template.`,
  ),
  duplicatedLinkifiers: bad("The ordered list must not contain duplicated linkifiers"),
  incompleteLinkifierOrder: bad("The ordered list must enumerate all existing linkifiers exactly once"),
  invalidUrlTemplate: bad("Invalid URL template."),
  urlTemplateNotWeb: bad("The URL template must begin with 'http://' or 'https://' and a host name."),
  tooManyInOrganization: bad<{ what: string; limit: number }>(
    ({ what, limit }) => `An organization can have at most ${limit} ${what}.`,
  ),

  // Statistics.
  invalidDay: bad<{ day: string }>(({ day }) => `There is no day '${day}'. Give one like '2026-03-02'.`),

  // Playgrounds.
  invalidPlayground: bad("Invalid playground"),
  playgroundLanguage: bad("Invalid characters in pygments language"),
  playgroundTaken: bad("A playground with this language and name already exists."),
  templateWithoutCode: bad('Missing the required variable "code" in the URL template'),
  templateWithOthers: bad('"code" should be the only variable present in the URL template'),

  // Custom emoji, and the pictures of files.
  emojiNameMissing: bad("Emoji name is missing"),
  emojiNameCharacters: bad(
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
  ),
  emojiNameEnd: bad("Emoji names must end with either a letter or digit."),
  emojiNameTaken: bad("A custom emoji with this name already exists."),
  builtInEmojiName: bad("Only administrators can override default emoji."),
  customEmojiDoesNotExist: declare<{ name: string }>(
    "BAD_REQUEST",
    404,
    ({ name }) => `Emoji '${name}' does not exist`,
  ),
  notEmojiAuthor: bad("Must be an organization administrator or emoji author"),
  avatarChangesDisabled: bad("Avatar changes are disabled in this organization."),
  exactlyOneFile: bad("You must upload exactly one file."),
  invalidImageFormat: bad("Invalid image format"),
  unreadableImage: bad("The picture can't be read; the file may be damaged."),
  imageTooLarge: bad("The picture has too many pixels or frames."),

  // Uploads.
  noFileGiven: bad("You must specify a file to upload"),
  uploadQuotaExceeded: declare<never>(
    "REALM_UPLOAD_QUOTA",
    400,
    "Upload would exceed your organization's upload quota.",
  ),
  fileNotFound: declare<never>("NOT_FOUND", 404, "File not found."),
  fileNotReadable: declare<never>("UNAUTHORIZED", 403, "You are not authorized to view this file."),
  invalidAttachment: bad("Invalid attachment"),

  // Uploads in several requests.
  tusVersion: declare<never>("BAD_REQUEST", 412, "The request must have the header 'Tus-Resumable: 1.0.0'."),
  invalidTusHeader: bad<{ header: string }>(({ header }) => `The header '${header}' is missing or invalid.`),
  tusContentType: declare<never>(
    "BAD_REQUEST",
    415,
    "The request's type must be 'application/offset+octet-stream'.",
  ),
  noSuchPartialUpload: declare<never>("NOT_FOUND", 404, "The upload does not exist, or its time is over."),
  partialUploadOffset: declare<never>("BAD_REQUEST", 409, "The upload has another offset."),
  partialUploadBusy: declare<never>("BAD_REQUEST", 423, "Another request is sending this upload."),
  tooManyPartialUploads: bad<{ limit: number }>(
    ({ limit }) => `A person can have at most ${limit} unfinished uploads.`,
  ),

  // Domains, and the email addresses that they allow.
  invalidDomain: bad<{ reason: string }>(({ reason }) => `Invalid domain: ${reason}`),
  domainTaken: bad<{ domain: string }>(
    ({ domain }) => `The domain ${domain} is already a part of your organization.`,
  ),
  noSuchDomain: bad<{ domain: string }>(({ domain }) => `No entry found for domain ${domain}.`),
  emailNotAllowed: bad<{ email: string }>(({ email }) => `Email '${email}' not allowed in this organization`),
  disposableEmail: bad("Disposable email addresses are not allowed in this organization"),
  emailWithPlus: bad("Email addresses containing + are not allowed."),

  // Exports.
  tooManyExports: bad("Exceeded rate limit."),
  exportPending: bad("An export is already being made."),
  noSuchExport: bad("Invalid data export ID"),
  exportStillPending: bad("Export still in progress"),
  exportFailed: bad("Export failed, nothing to delete"),
  exportAlreadyDeleted: bad("Export already deleted"),

  // Invitations.
  noSuchInvitation: bad("No such invitation"),
  noInvitees: bad("You must specify at least one email address."),
  tooManyInvitees: bad<{ limit: number }>(
    ({ limit }) => `You can invite at most ${limit} addresses at once.`,
  ),
  invalidInvitationChannel: bad<{ id: number }>(
    ({ id }) => `Invalid channel ID ${id}. No invites were sent.`,
  ),
  cannotSubscribeInvited: bad("You do not have permission to subscribe other users to channels."),
  invitationFailed: declare<InvitationFailure>(
    "INVITATION_FAILED",
    400,
    ({ reason }) => reason,
    ({ skipped, hasSent, isDailyLimit }) => ({
      errors: skipped,
      sent_invitations: hasSent,
      daily_limit_reached: isDailyLimit,
      license_limit_reached: false,
    }),
  ),
  mailNotConfigured: bad("This server can't send mail; create an invitation link instead."),
  mailNeededForLinks: bad("This server can't send mail, so only administrators can create invitation links."),
};
