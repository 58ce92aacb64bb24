import { type Static, Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_LINKIFIER_PATTERN_LENGTH, MAX_LINKIFIERS, MAX_URL_TEMPLATE_LENGTH } from "../limits.ts";

export const linkifier = Type.Object({
  id: Type.Integer({ description: "The linkifier's ID." }),
  pattern: Type.String({
    description: "What becomes a link: a regular expression in the syntax of RE2.",
  }),
  url_template: Type.String({ description: "Where the link leads, by RFC 6570." }),
});

export type LinkifierRecord = Static<typeof linkifier>;

export const exampleLinkifier: LinkifierRecord = {
  id: 3,
  pattern: "#(?P<id>[0-9]+)",
  url_template: "https://tickets.example.com/{id}",
};

const pattern = required(Type.String({ maxLength: MAX_LINKIFIER_PATTERN_LENGTH }), {
  description: `What becomes a link: a regular expression in the syntax of RE2, of at most ${MAX_LINKIFIER_PATTERN_LENGTH} characters. It must not match the empty text, and no other linkifier has it. A match begins at the start, after a space or after one of \`'"(,:<\`, and no letter or digit follows it.`,
});
const urlTemplate = required(Type.String({ maxLength: MAX_URL_TEMPLATE_LENGTH }), {
  description: `Where the link leads: a web address as RFC 6570 describes it, of at most ${MAX_URL_TEMPLATE_LENGTH} characters. Its variables are the named groups of the pattern, all of them and no others.`,
});
const inFilterPath = inPath(Type.Integer(), { description: "The linkifier." });

const contentErrors = [
  errors.blank,
  errors.badRegularExpression,
  errors.regularExpressionTooLarge,
  errors.regularExpressionMatchesNothing,
  errors.linkifierPatternTaken,
  errors.invalidUrlTemplate,
  errors.urlTemplateNotWeb,
  errors.groupNotInPattern,
  errors.groupNotInTemplate,
];

export const getLinkifiers = endpoint({
  name: "getLinkifiers",
  subject: "Linkifiers",
  method: "GET",
  path: "/realm/linkifiers",
  access: "user",
  summary: "Get linkifiers",
  description: "Returns the patterns whose matches in messages and topics become links.",
  parameters: {},
  reply: {
    linkifiers: Type.Array(linkifier, {
      description: "The linkifiers, in the order in which they are tried.",
    }),
  },
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { linkifiers: [exampleLinkifier] } },
  sample: () => ({}),
});

export const reorderLinkifiers = endpoint({
  name: "reorderLinkifiers",
  subject: "Linkifiers",
  method: "PATCH",
  path: "/realm/linkifiers",
  access: "administrator",
  summary: "Reorder linkifiers",
  description:
    "Sets the order in which linkifiers are tried. Where two patterns match, the first one counts.",
  parameters: {
    ordered_linkifier_ids: required(Type.Array(Type.Integer(), { maxItems: MAX_LINKIFIERS }), {
      description: "The IDs of all of the organization's linkifiers, in their new order.",
    }),
  },
  reply: {},
  errors: [errors.duplicatedLinkifiers, errors.incompleteLinkifierOrder],
  emits: ["realm_linkifiers"],
  example: { parameters: { ordered_linkifier_ids: [1] }, reply: {} },
  sample: (ids) => ({ ordered_linkifier_ids: [...ids.linkifierIds] }),
});

export const addLinkifier = endpoint({
  name: "addLinkifier",
  subject: "Linkifiers",
  method: "POST",
  path: "/realm/filters",
  access: "administrator",
  summary: "Add a linkifier",
  description:
    "Adds a pattern whose matches become links, after the existing ones. Messages that were sent before keep the text that they have; the links of topics follow at once.",
  parameters: { pattern, url_template: urlTemplate },
  reply: { id: Type.Integer({ description: "The new linkifier's ID." }) },
  errors: [errors.tooManyInOrganization, ...contentErrors],
  emits: ["realm_linkifiers"],
  example: {
    parameters: { pattern: exampleLinkifier.pattern, url_template: exampleLinkifier.url_template },
    reply: { id: 1 },
  },
  sample: (ids) => ({
    pattern: `${ids.freshName}#(?P<id>[0-9]+)`,
    url_template: "https://tickets.example.com/{id}",
  }),
});

export const updateLinkifier = endpoint({
  name: "updateLinkifier",
  subject: "Linkifiers",
  method: "PATCH",
  path: "/realm/filters/{filter_id}",
  access: "administrator",
  summary: "Change a linkifier",
  description: "Gives a linkifier another pattern and URL template. It keeps its place in the order.",
  parameters: { filter_id: inFilterPath, pattern, url_template: urlTemplate },
  reply: {},
  errors: [errors.linkifierNotFound, ...contentErrors],
  emits: ["realm_linkifiers"],
  example: {
    parameters: {
      filter_id: 1,
      pattern: exampleLinkifier.pattern,
      url_template: "https://tickets.example.com/show?id={id}",
    },
    reply: {},
  },
  sample: (ids) => ({
    filter_id: ids.linkifierId,
    pattern: `${ids.freshName}!(?P<id>[0-9]+)`,
    url_template: "https://tickets.example.com/{id}",
  }),
});

export const removeLinkifier = endpoint({
  name: "removeLinkifier",
  subject: "Linkifiers",
  method: "DELETE",
  path: "/realm/filters/{filter_id}",
  access: "administrator",
  summary: "Remove a linkifier",
  description: "Removes a linkifier. Links in messages that were sent before stay.",
  parameters: { filter_id: inFilterPath },
  reply: {},
  errors: [errors.linkifierNotFound],
  emits: ["realm_linkifiers"],
  example: { parameters: { filter_id: 1 }, reply: {} },
  sample: (ids) => ({ filter_id: ids.linkifierId }),
});
