/** What the checks of the catalogues let pass, and why. No part of the program. */

/** English texts that may be the same in any language: names, and words that many languages share. */
const anywhere = [
  ...["Parley", "Jitsi Meet", "{name} in {place}", "Ding"],
  ...["Bot", "Bots", "Code", "Ctrl", "Emoji", "Link", "Logo", "Name", "offline", "Person", "Shift", "Spam"],
  ...[
    "Administrator",
    "Cyan",
    "Domains",
    "Indigo",
    "Moderation",
    "Moderator",
    "Normal",
    "Orange",
    "Passkeys",
  ],
  ...["Smileys", "Spoiler", "Text", "Token", "{size} (normal)"],
];

/** Words of a language that English has too. */
const ofLanguage: Readonly<Record<string, readonly string[]>> = {
  de: ["Domain"],
  es: ["Color", "General", "Personal", "no"],
  fr: [
    ...["Actions", "Conversation", "Conversations", "Date", "Description", "Exports", "Invitations"],
    ...["Mentions", "Message", "Messages", "Notifications", "Notifications…", "Option {number}"],
    ...["Options", "Permissions", "Public"],
    ...["Question", "Secret", "Sections", "Service", "Sessions", "Suggestions", "Violet"],
    ...["message {number}", "message {value}", "{count, plural, one {# minute} other {# minutes}}"],
    "{option}, {count, plural, one {# vote} other {# votes}}",
  ],
};

export function mayBeEnglish(text: string, code: string): boolean {
  return anywhere.includes(text) || (ofLanguage[code]?.includes(text) ?? false);
}

/** Codes of errors that have no text in other languages: the server's English sentence stays. */
const many = "It stands for many errors, which only their sentences tell apart.";
const program = "A program's mistake: people can do nothing about it, and its author reads English.";
const page = "Only pages of the server meet it.";
export const notByCode: Readonly<Record<string, string>> = {
  BAD_REQUEST: many,
  UNAUTHORIZED: many,
  NOT_FOUND: many,
  INVITATION_FAILED: many,
  ANOMALOUS_WEBHOOK_PAYLOAD: program,
  BAD_EVENT_QUEUE_ID: program,
  BAD_NARROW: program,
  INVALID_JSON: program,
  INVALID_PUSH_DEVICE_TOKEN: program,
  MISSING_HTTP_EVENT_HEADER: program,
  NONEXISTENT_SUBDOMAIN: program,
  NO_ACTIVE_PUSH_DEVICE: program,
  PUSH_SERVICE_NOT_CONFIGURED: program,
  REQUEST_CONFUSING_VAR: program,
  SYSTEM_GROUP_REQUIRED: program,
  UNSUPPORTED_WEBHOOK_EVENT_TYPE: program,
  AUTHENTICATION_FAILED: page,
  PASSWORD_AUTH_DISABLED: page,
  SECOND_STEP_REQUIRED: page,
  PASSWORD_SET_BY_MAIL: "Its sentence has a date and three ways out.",
};

/** The codes that have texts. */
export function namedByCode(texts: Readonly<Record<string, string>>): string[] {
  return Object.keys(texts).map((key) => key.slice("error.".length));
}
