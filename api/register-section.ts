/**
 * The form in which each subject declares its part of the initial state: the fields that `POST /register`
 * answers. Which of them come depends on `fetch_event_types`, on the capabilities of the client and on the
 * account, so none is required.
 */
import type { TProperties } from "typebox";

export interface RegisterSectionDeclaration<F extends TProperties = TProperties> {
  /** Each has a description. */
  fields: F;
}

export function registerSection<F extends TProperties>(
  declaration: RegisterSectionDeclaration<F>,
): RegisterSectionDeclaration<F> {
  return declaration;
}
