import { Type } from "typebox";
import { endpoint, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_ALERT_WORD_LENGTH, MAX_ALERT_WORDS } from "../limits.ts";

const reply = {
  alert_words: Type.Array(Type.String(), { description: "All of the caller's alert words now." }),
};

const wordList = Type.Array(Type.String({ maxLength: MAX_ALERT_WORD_LENGTH }), { maxItems: MAX_ALERT_WORDS });

export const getAlertWords = endpoint({
  name: "getAlertWords",
  subject: "Alert words",
  method: "GET",
  path: "/users/me/alert_words",
  access: "user",
  summary: "Get own alert words",
  description: "Returns the words and phrases whose messages get the flag `has_alert_word` for the caller.",
  parameters: {},
  reply,
  errors: [],
  emits: [],
  example: { parameters: {}, reply: { alert_words: ["deploy", "on call"] } },
  sample: () => ({}),
});

export const addAlertWords = endpoint({
  name: "addAlertWords",
  subject: "Alert words",
  method: "POST",
  path: "/users/me/alert_words",
  access: "user",
  summary: "Add alert words",
  description:
    "Adds words or phrases to the caller's alert words. Letter case and spaces around a word make no difference. A word that is already there stays as it is.",
  parameters: {
    alert_words: required(wordList, { description: "The words to add; each has at most 100 characters." }),
  },
  reply,
  errors: [errors.tooManyAlertWords],
  emits: ["alert_words"],
  example: { parameters: { alert_words: ["on call"] }, reply: { alert_words: ["deploy", "on call"] } },
  sample: (ids) => ({ alert_words: [ids.freshName] }),
});

export const removeAlertWords = endpoint({
  name: "removeAlertWords",
  subject: "Alert words",
  method: "DELETE",
  path: "/users/me/alert_words",
  access: "user",
  summary: "Remove alert words",
  description: "Removes words from the caller's alert words. Words that are not among them are ignored.",
  parameters: {
    alert_words: required(wordList, { description: "The words to remove. Letter case makes no difference." }),
  },
  reply,
  errors: [],
  emits: ["alert_words"],
  example: { parameters: { alert_words: ["on call"] }, reply: { alert_words: ["deploy"] } },
  sample: () => ({ alert_words: ["deploy"] }),
});
