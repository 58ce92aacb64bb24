import {
  type PageOrganization,
  type PageSession,
  type PageVisit,
  pageFor,
} from "../../platform/http/page-routes.ts";
import type { Viewer } from "./viewer.ts";

/** What a page gets by its declaration. */
export type Visit<
  O extends PageOrganization = "none",
  S extends PageSession = "none",
  P extends string = "",
> = PageVisit<Viewer, O, S, P>;

/** Declares a page of the server's own: whom it is for, and which requests it takes. */
export const page = pageFor<Viewer>();
