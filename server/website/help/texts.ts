/** The words around the pages of the help. */
import type { HelpLanguage } from "./sources.ts";

interface HelpTexts {
  /** The language's own name. */
  name: string;
  title: string;
  introduction: string;
  pages: string;
  next: string;
  back: string;
  missing: string;
}

export const texts: Readonly<Record<HelpLanguage, HelpTexts>> = {
  en: {
    name: "English",
    title: "Help",
    introduction: "How to use Parley, in short pages. Begin with the first two if you are new.",
    pages: "Pages of the help",
    next: "Next",
    back: "Open Parley",
    missing: "There is no such page. All pages are in the list.",
  },
  de: {
    name: "Deutsch",
    title: "Hilfe",
    introduction: "So benutzt du Parley, auf kurzen Seiten. Wenn du neu bist, beginne mit den ersten beiden.",
    pages: "Seiten der Hilfe",
    next: "Weiter",
    back: "Parley öffnen",
    missing: "Diese Seite gibt es nicht. Die Liste enthält alle.",
  },
};
