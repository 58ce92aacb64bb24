import * as accepted from "../../platform/http/accepted-language.ts";
import { type HelpLanguage, helpLanguages } from "./sources.ts";

/** The best of the languages that a browser asks for; undefined if none of them is there. */
export function acceptedLanguage(header: string | undefined): HelpLanguage | undefined {
  return accepted.acceptedLanguage(header, helpLanguages);
}

/** `de-AT` is German. */
export function findLanguage(tag: string | undefined): HelpLanguage | undefined {
  return accepted.findLanguage(tag, helpLanguages);
}
