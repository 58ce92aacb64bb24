/** Sites that run code. Clients offer them beside code blocks; the server only lists them. */
import { type Static, Type } from "typebox";
import { endpoint, inPath, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import {
  MAX_PLAYGROUND_LANGUAGE_LENGTH,
  MAX_PLAYGROUND_NAME_LENGTH,
  MAX_URL_TEMPLATE_LENGTH,
} from "../limits.ts";

export const playground = Type.Object({
  id: Type.Integer({ description: "The playground's ID." }),
  name: Type.String({ description: "Its name for people." }),
  pygments_language: Type.String({ description: "The language of the code blocks that it can run." }),
  url_template: Type.String({
    description: "Its address, by RFC 6570. The variable `code` stands for the code.",
  }),
});

export type PlaygroundRecord = Static<typeof playground>;

export const examplePlayground: PlaygroundRecord = {
  id: 2,
  name: "Python playground",
  pygments_language: "Python",
  url_template: "https://run.example.com/python?code={code}",
};

export const addPlayground = endpoint({
  name: "addPlayground",
  subject: "Playgrounds",
  method: "POST",
  path: "/realm/playgrounds",
  access: "administrator",
  summary: "Add a code playground",
  description: "Adds a site on which clients let people run the code of a code block.",
  parameters: {
    name: required(Type.String({ maxLength: MAX_PLAYGROUND_NAME_LENGTH }), {
      description: `Its name for people, of at most ${MAX_PLAYGROUND_NAME_LENGTH} characters. No other playground of the language has it.`,
    }),
    pygments_language: required(Type.String({ maxLength: MAX_PLAYGROUND_LANGUAGE_LENGTH }), {
      description: `The language as clients name it, of at most ${MAX_PLAYGROUND_LANGUAGE_LENGTH} characters. It may be one that nobody else knows.`,
    }),
    url_template: required(Type.String({ maxLength: MAX_URL_TEMPLATE_LENGTH }), {
      description: `The web address of the site as RFC 6570 describes it, of at most ${MAX_URL_TEMPLATE_LENGTH} characters. Its only variable is \`code\`.`,
    }),
  },
  reply: { id: Type.Integer({ description: "The new playground's ID." }) },
  errors: [
    errors.tooManyInOrganization,
    errors.blank,
    errors.playgroundLanguage,
    errors.playgroundTaken,
    errors.invalidUrlTemplate,
    errors.urlTemplateNotWeb,
    errors.templateWithoutCode,
    errors.templateWithOthers,
  ],
  emits: ["realm_playgrounds"],
  example: {
    parameters: {
      name: "Python playground",
      pygments_language: "Python",
      url_template: "https://run.example.com/python?code={code}",
    },
    reply: { id: 1 },
  },
  sample: (ids) => ({
    name: ids.freshName,
    pygments_language: "Python",
    url_template: "https://run.example.com/python?code={code}",
  }),
});

export const removePlayground = endpoint({
  name: "removePlayground",
  subject: "Playgrounds",
  method: "DELETE",
  path: "/realm/playgrounds/{playground_id}",
  access: "administrator",
  summary: "Remove a code playground",
  description: "Removes a playground. Clients no longer offer it.",
  parameters: { playground_id: inPath(Type.Integer(), { description: "The playground." }) },
  reply: {},
  errors: [errors.invalidPlayground],
  emits: ["realm_playgrounds"],
  example: { parameters: { playground_id: 1 }, reply: {} },
  sample: (ids) => ({ playground_id: ids.playgroundId }),
});
