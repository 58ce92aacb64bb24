import { Type } from "typebox";
import { event } from "../event.ts";
import { examplePlayground, playground } from "../playgrounds.ts";

export const playgroundsChanged = event({
  type: "realm_playgrounds",
  description: "The sites on which clients let people run code changed.",
  payload: { realm_playgrounds: Type.Array(playground, { description: "All of them, as they are now." }) },
  example: { realm_playgrounds: [examplePlayground] },
});
