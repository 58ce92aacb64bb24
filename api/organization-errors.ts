/** The errors of what an organization lists: linkifiers. Part of `errors`. */
import { bad } from "./error-declaration.ts";

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
};
