import { type Static, Type } from "typebox";
import { endpoint, inPath, optional, required } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { MAX_VIEW_FRAGMENT_LENGTH, MAX_VIEW_NAME_LENGTH, MAX_VIEWS } from "../limits.ts";

/** The views that every client has, with a name of its own for each. */
export const builtInViews: readonly string[] = [
  "inbox",
  "recent",
  "feed",
  "drafts",
  "narrow/is/starred",
  "narrow/is/mentioned",
  "narrow/has/reaction/sender/me",
];

/** A navigation view as its owner sees it (spec Navigation view). */
export const navigationView = Type.Object({
  fragment: Type.String({ description: "The view's address in the client: what follows `#` in a URL." }),
  is_pinned: Type.Boolean({
    description: "Whether the view is in the sidebar. Otherwise it is in the menu of further views.",
  }),
  name: Type.Optional(Type.String({ description: "The view's name. Built-in views have none here." })),
});

export type NavigationViewRecord = Static<typeof navigationView>;

export const exampleView: NavigationViewRecord = {
  fragment: "narrow/is/alerted",
  is_pinned: true,
  name: "Alert words",
};

const fragment = inPath(Type.String({ slashes: true }), {
  description: "The address of the caller's view. It may contain slashes.",
});
const nameRule = `of at most ${MAX_VIEW_NAME_LENGTH} characters. No two views of the caller have the same name.`;

export const getNavigationViews = endpoint({
  name: "getNavigationViews",
  subject: "Navigation views",
  method: "GET",
  path: "/navigation_views",
  access: "user",
  summary: "Get own navigation views",
  description:
    "Returns the views that the caller added to the sidebar, and the built-in views that they arranged.",
  parameters: {},
  reply: {
    navigation_views: Type.Array(navigationView, { description: "The caller's views, the oldest first." }),
  },
  errors: [],
  emits: [],
  example: {
    parameters: {},
    reply: { navigation_views: [exampleView, { fragment: "narrow/is/starred", is_pinned: false }] },
  },
  sample: () => ({}),
});

export const addNavigationView = endpoint({
  name: "addNavigationView",
  subject: "Navigation views",
  method: "POST",
  path: "/navigation_views",
  access: "user",
  summary: "Add a navigation view",
  description: `Adds a view to the caller's sidebar, or says where a built-in view goes. The built-in views are ${builtInViews.map((each) => `\`${each}\``).join(", ")}. One person can have at most ${MAX_VIEWS} views.`,
  parameters: {
    fragment: required(Type.String(), {
      description: `The view's address: what follows \`#\` in the client's URL, of at most ${MAX_VIEW_FRAGMENT_LENGTH} characters.`,
    }),
    is_pinned: required(Type.Boolean(), {
      description: "Whether the view is in the sidebar. Otherwise it is in the menu of further views.",
    }),
    name: optional(Type.String(), {
      description: `The view's name, ${nameRule} It is required, except for built-in views, which can't have one.`,
    }),
  },
  reply: {},
  errors: [
    errors.blank,
    errors.builtInViewName,
    errors.customViewName,
    errors.viewAlreadyExists,
    errors.personalLimit,
    errors.overQuota,
  ],
  emits: ["navigation_view/add"],
  example: {
    parameters: { fragment: "narrow/has/link", is_pinned: true, name: "Links" },
    reply: {},
  },
  sample: (ids) => ({ fragment: `narrow/topic/${ids.freshName}`, is_pinned: true, name: ids.freshName }),
});

export const updateNavigationView = endpoint({
  name: "updateNavigationView",
  subject: "Navigation views",
  method: "PATCH",
  path: "/navigation_views/{fragment}",
  access: "user",
  summary: "Change a navigation view",
  description: "Changes one of the caller's views. What is not given stays.",
  parameters: {
    fragment,
    is_pinned: optional(Type.Boolean(), { description: "Whether the view is in the sidebar." }),
    name: optional(Type.String(), {
      description: `The view's new name, ${nameRule} Built-in views can't have one.`,
    }),
  },
  reply: {},
  errors: [errors.viewNotFound, errors.blank, errors.builtInViewName, errors.viewAlreadyExists],
  emits: ["navigation_view/update"],
  example: { parameters: { fragment: "narrow/is/alerted", is_pinned: false }, reply: {} },
  sample: (ids) => ({ fragment: ids.viewFragment, is_pinned: true }),
});

export const removeNavigationView = endpoint({
  name: "removeNavigationView",
  subject: "Navigation views",
  method: "DELETE",
  path: "/navigation_views/{fragment}",
  access: "user",
  summary: "Remove a navigation view",
  description: "Removes one of the caller's views. A built-in view then goes where the client puts it.",
  parameters: { fragment },
  reply: {},
  errors: [errors.viewDoesNotExist, errors.blank],
  emits: ["navigation_view/remove"],
  example: { parameters: { fragment: "narrow/is/alerted" }, reply: {} },
  sample: (ids) => ({ fragment: ids.viewFragment }),
});
