import { type HelpLanguage, helpLanguages } from "./sources.ts";

/** The best of the languages that a browser asks for; undefined if none of them is there. */
export function acceptedLanguage(header: string | undefined): HelpLanguage | undefined {
  const wanted = (header ?? "")
    .slice(0, 1000)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((word) => word.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { language: findLanguage(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0);
  return wanted.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** `de-AT` is German. */
export function findLanguage(tag: string | undefined): HelpLanguage | undefined {
  const base = tag?.toLowerCase().split(/[-_]/)[0];
  return helpLanguages.find((language) => language === base);
}
