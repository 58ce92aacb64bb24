import { Type } from "typebox";
import { examplePlayground, playground } from "../content/playgrounds.ts";
import { event } from "../event.ts";

export const playgroundsChanged = event({
  type: "realm_playgrounds",
  description: "The sites on which clients let people run code changed.",
  payload: { realm_playgrounds: Type.Array(playground, { description: "All of them, as they are now." }) },
  example: { realm_playgrounds: [examplePlayground] },
});
