// The roles that the tables have a line for, highest first; the last two are nobody's of the organization.
// The tools that make pages of the tables read it too, so it needs no build.
export const roles = /** @type {const} */ ([
  "owner",
  "administrator",
  "moderator",
  "full member",
  "new member",
  "guest",
  "bot",
  "stranger",
  "nobody",
]);
