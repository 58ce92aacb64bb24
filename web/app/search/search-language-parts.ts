export { findFlaw } from "../../../client/search/flaws.ts";
export { formatSearch } from "../../../client/search/grammar.ts";
export { namesOf } from "../../../client/search/names.ts";
