// This file has no schemas, so that the web client can import it.

/** The kinds of values, by the name that `/register` gives them. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: "Short text" },
  LONG_TEXT: { id: 2, name: "Long text" },
  SELECT: { id: 3, name: "List of options" },
  DATE: { id: 4, name: "Date picker" },
  URL: { id: 5, name: "Link" },
  USER: { id: 6, name: "Person picker" },
  EXTERNAL_ACCOUNT: { id: 7, name: "External account" },
  PRONOUNS: { id: 8, name: "Pronouns" },
} as const;

export type ProfileFieldType = (typeof profileFieldTypes)[keyof typeof profileFieldTypes]["id"];
