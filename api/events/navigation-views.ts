import { Type } from "typebox";
import { event } from "../event.ts";
import { described } from "../fields.ts";
import { exampleView, navigationView } from "../personal/navigation-views.ts";

const fragment = Type.String({ description: "The view's address, which identifies it." });

export const viewAdded = event({
  type: "navigation_view",
  op: "add",
  description: "The user added a navigation view.",
  payload: { navigation_view: described(navigationView, "The new view.") },
  example: { navigation_view: exampleView },
});

export const viewUpdated = event({
  type: "navigation_view",
  op: "update",
  description: "The user changed a navigation view.",
  payload: {
    fragment,
    data: Type.Object(
      {
        is_pinned: Type.Optional(Type.Boolean({ description: "Whether the view is in the sidebar." })),
        name: Type.Optional(Type.String({ description: "The view's name." })),
      },
      { description: "The fields that changed." },
    ),
  },
  example: { fragment: exampleView.fragment, data: { is_pinned: false } },
});

export const viewRemoved = event({
  type: "navigation_view",
  op: "remove",
  description: "The user removed a navigation view.",
  payload: { fragment },
  example: { fragment: exampleView.fragment },
});
