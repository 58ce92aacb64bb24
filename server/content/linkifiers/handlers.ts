import {
  addLinkifier as addLinkifierEndpoint,
  getLinkifiers,
  removeLinkifier as removeLinkifierEndpoint,
  reorderLinkifiers as reorderLinkifiersEndpoint,
  updateLinkifier as updateLinkifierEndpoint,
} from "../../../api/content/linkifiers.ts";
import { changeState } from "../../people/viewer/change.ts";
import { route } from "../../people/viewer/route.ts";
import type { Route } from "../../platform/http/handler.ts";
import { addLinkifier, changeLinkifier, removeLinkifier, reorderLinkifiers } from "./actions.ts";
import { linkifiers } from "./linkifier.ts";
import { presentLinkifier } from "./present.ts";

export const linkifierRoutes: readonly Route[] = [
  route(getLinkifiers, ({ state }) => ({ linkifiers: state.get(linkifiers).rows.map(presentLinkifier) })),
  route(reorderLinkifiersEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => reorderLinkifiers(tx, params.orderedLinkifierIds));
    return {};
  }),
  route(addLinkifierEndpoint, async ({ viewer, params: { pattern, urlTemplate } }) => {
    const id = await changeState(viewer, (tx) => addLinkifier(tx, { pattern, urlTemplate }));
    return { id };
  }),
  route(updateLinkifierEndpoint, async ({ viewer, params: { filterId, pattern, urlTemplate } }) => {
    await changeState(viewer, (tx) => changeLinkifier(tx, filterId, { pattern, urlTemplate }));
    return {};
  }),
  route(removeLinkifierEndpoint, async ({ viewer, params }) => {
    await changeState(viewer, (tx) => removeLinkifier(tx, params.filterId));
    return {};
  }),
];
