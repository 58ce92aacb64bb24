import type { Static, TProperties } from "typebox";
import type { RegisterSectionDeclaration } from "../../../api/register-section.ts";
import type { PersonalList } from "../../platform/db/personal-rows.ts";
import type * as platform from "../../platform/queues/register.ts";
import type { RawJson } from "../../platform/std/raw-json.ts";
import { currentViewer } from "./current-viewer.ts";
import type { Viewer } from "./viewer.ts";

export type Snapshot = platform.Snapshot<Viewer>;
export type RegisterSection = platform.RegisterSection<Viewer>;

/**
 * Binds a declared section to the function that answers it. It gets the viewer as of now, whose role may have
 * changed since the request was authenticated. A field that is misspelt, undeclared or of
 * another type than declared does not compile. The declaration is there for its type alone. `lists`: what
 * the function reads by `snapshot.own`.
 */
export function sectionOf<F extends TProperties, A extends Declared<F, A>>(
  _declaration: RegisterSectionDeclaration<F>,
  answer: (snapshot: Snapshot) => A | undefined | Promise<A | undefined>,
  ...lists: PersonalList[]
): RegisterSection {
  const section: RegisterSection = (snapshot) =>
    answer(snapshot.viewer ? { ...snapshot, viewer: currentViewer(snapshot.viewer) } : snapshot);
  return Object.assign(section, { lists });
}

/** Checks each key of an answer by itself: what comes into an object by a spread is not checked otherwise. */
type Declared<F extends TProperties, A> = {
  [K in keyof A]: K extends keyof F ? ReadOnly<Static<F[K]>> | RawJson | undefined : never;
};

type ReadOnly<T> = T extends object ? { readonly [K in keyof T]: ReadOnly<T[K]> } : T;
