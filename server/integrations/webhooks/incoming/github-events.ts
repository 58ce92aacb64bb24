import { type Static, Type } from "typebox";
import { acted, numberedTopic } from "./code-host.ts";
import { event, maybe } from "./integration.ts";
import { inline, link, paragraphs, quoted } from "./outside-text.ts";

/** Events in the form that GitHub made and that others took over. */

const user = Type.Object({ login: Type.String() });

export const common = {
  repository: Type.Object({ name: Type.String(), full_name: Type.String(), html_url: Type.String() }),
  sender: user,
};

export const numbered = Type.Object({
  number: Type.Integer(),
  title: Type.String(),
  html_url: Type.String(),
  body: maybe(Type.String()),
});

export const comment = Type.Object({ html_url: Type.String(), body: maybe(Type.String()) });

export const issue = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({ ...common, issue: numbered }),
    topic: ({ repository, issue: { number, title } }) => numberedTopic(repository.name, number, title),
    message: ({ sender, issue: one }) =>
      acted(sender.login, did, "issue", at(one), did === "opened" ? { body: one.body } : {}),
  });

export const issueComment = event({
  description: "Somebody commented on an issue or a pull request.",
  payload: Type.Object({
    ...common,
    // A pull request is an issue too, with a field of its own.
    issue: Type.Object({ ...numbered.properties, pull_request: maybe(Type.Unknown()) }),
    comment,
  }),
  topic: ({ repository, issue: { number, title } }) => numberedTopic(repository.name, number, title),
  message: ({ sender, issue: one, comment: { html_url, body } }) =>
    acted(
      sender.login,
      `${link("commented", html_url)} on`,
      one.pull_request ? "pull request" : "issue",
      at(one),
      { body },
    ),
});

export const pullRequest = (did: string, description: string) =>
  event({
    description,
    payload: Type.Object({
      ...common,
      pull_request: Type.Object({ ...numbered.properties, merged: maybe(Type.Boolean()) }),
    }),
    topic: ({ repository, pull_request: { number, title } }) => numberedTopic(repository.name, number, title),
    message({ sender, pull_request: pull }) {
      const done = did === "closed" && pull.merged ? "merged" : did;
      return acted(sender.login, done, "pull request", at(pull), did === "opened" ? { body: pull.body } : {});
    },
  });

export const release = event({
  description: "A release was published.",
  payload: Type.Object({
    ...common,
    release: Type.Object({
      tag_name: Type.String(),
      name: maybe(Type.String()),
      html_url: maybe(Type.String()),
      body: maybe(Type.String()),
    }),
  }),
  topic: ({ repository }) => `${repository.name} / releases`,
  message: ({ sender, release: { tag_name, name, html_url, body } }) =>
    paragraphs(`${inline(sender.login)} published ${link(name || tag_name, html_url)}.`, quoted(body)),
});

export function at({ number, title, html_url }: Static<typeof numbered>) {
  return { number, title, url: html_url };
}
