import { ApiError, errors } from "../../../api/errors.ts";
import { type Linkifier, linkWork } from "../../../markdown/linkifier.ts";
import { compileLinkifier, LinkifierError } from "../../../markdown/node/linkifier-re2.ts";
import type { LinkifierContent } from "./store.ts";
import { parseWebTemplate } from "./web-template.ts";

/**
 * Returns what is stored: both parts, trimmed. Throws an error for each fault of the pattern, of the template
 * and of the two together.
 */
export function parseLinkifier(given: LinkifierContent): LinkifierContent {
  const content = { pattern: given.pattern.trim(), urlTemplate: given.urlTemplate.trim() };
  if (content.pattern === "") throw new ApiError(errors.blank, { name: "pattern" });
  parseWebTemplate(content.urlTemplate);
  const linkifier = compile(content);
  if (matchesNothing(linkifier)) throw new ApiError(errors.regularExpressionMatchesNothing);
  return content;
}

function compile({ pattern, urlTemplate }: LinkifierContent): Linkifier {
  try {
    return compileLinkifier(pattern, urlTemplate);
  } catch (error) {
    if (error instanceof LinkifierError) throw asApiError(error);
    throw error;
  }
}

function asApiError({ fault, variable: name = "", detail: reason = "" }: LinkifierError): Error {
  switch (fault) {
    case "bad-pattern":
      return new ApiError(errors.badRegularExpression, { reason });
    case "pattern-too-large":
      return new ApiError(errors.regularExpressionTooLarge);
    case "bad-template":
      return new ApiError(errors.invalidUrlTemplate);
    case "missing-in-template":
      return new ApiError(errors.groupNotInTemplate, { name });
    case "missing-in-pattern":
      return new ApiError(errors.groupNotInPattern, { name });
  }
}

/** Texts with all kinds of places where a link may stand: ends, borders of words, of lines and of neither. */
const PLACES = ["", " ", ". .", "\n\n", "a ", " a", " _"];

/** Whether it matches at a place without any text. Such a match has nothing to make a link of. */
function matchesNothing(linkifier: Linkifier): boolean {
  return PLACES.some((text) => {
    const hit = linkifier.find(text, 0, linkWork());
    return hit !== null && hit.end <= hit.start;
  });
}
