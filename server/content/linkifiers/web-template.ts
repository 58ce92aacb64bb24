import { ApiError, errors } from "../../../api/errors.ts";
import { parseUrlTemplate, type UrlTemplate } from "../../../markdown/url-template.ts";

/** The host may hold variables, so only its presence is checked. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#\\]/i;

/**
 * Reads a URL template that can only lead to a web address. The scheme stands in the template itself, so no
 * value of a variable can change it. Throws `blank`, `invalidUrlTemplate` or `urlTemplateNotWeb`.
 */
export function parseWebTemplate(text: string): UrlTemplate {
  if (text === "") throw new ApiError(errors.blank, { name: "url_template" });
  const template = parseUrlTemplate(text);
  if (!template) throw new ApiError(errors.invalidUrlTemplate);
  const example = template.expand(Object.fromEntries(template.variables.map((name) => [name, "x"])));
  if (!WEB_ADDRESS.test(text) || !WEB_ADDRESS.test(example)) throw new ApiError(errors.urlTemplateNotWeb);
  return template;
}
