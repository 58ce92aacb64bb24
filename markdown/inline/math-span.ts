import { renderInlineMath } from "../math.ts";
import { HAS, type InlineRule } from "./phrase.ts";

// The dollars may not touch a word or a third dollar, and the formula may not begin with an underscore
// ("$$_$$" is a face).
const FORMULA = /(?<![\p{L}\p{N}_$])\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?![\p{L}\p{N}_$])/gu;

/** A formula between double dollars. */
export const mathSpan: InlineRule = {
  needs: HAS.dollar,
  apply(text, session) {
    if (!text.includes("$$")) return text;
    return text.replace(FORMULA, (whole, body: string) =>
      session.storePhrase(renderInlineMath(session.sourceOf(body), session), whole),
    );
  },
};
