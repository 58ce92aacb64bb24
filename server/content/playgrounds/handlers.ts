import {
  addPlayground as addPlaygroundEndpoint,
  removePlayground as removePlaygroundEndpoint,
} from "../../../api/content/playgrounds.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { addPlayground, removePlayground } from "./actions.ts";

export const playgroundRoutes: readonly Route[] = [
  route(addPlaygroundEndpoint, async ({ viewer, params }) => {
    const { name, pygmentsLanguage: language, urlTemplate } = params;
    const id = await changeState(viewer, (tx) => addPlayground(tx, { name, language, urlTemplate }));
    return { id };
  }),
  route(removePlaygroundEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => removePlayground(tx, params.playgroundId));
    return {};
  }),
];
