/**
 * The best of the languages that a browser asks for, by the header Accept-Language; undefined if none of them
 * is there. `de-AT` is German.
 */
export function acceptedLanguage<L extends string>(
  header: string | undefined,
  languages: readonly L[],
): L | undefined {
  const wanted = (header ?? "")
    .slice(0, 1000)
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((word) => word.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
      return { language: findLanguage(tag, languages), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0);
  return wanted.sort((a, b) => b.weight - a.weight)[0]?.language;
}

/** By the first part of a tag. */
export function findLanguage<L extends string>(
  tag: string | undefined,
  languages: readonly L[],
): L | undefined {
  const base = tag?.toLowerCase().split(/[-_]/)[0];
  return languages.find((language) => language === base);
}
