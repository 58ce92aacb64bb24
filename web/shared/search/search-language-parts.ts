import { findFlaw } from "../../../client/search/flaws.ts";
import { formatSearch } from "../../../client/search/grammar.ts";
import { namesOf } from "../../../client/search/names.ts";

export const searchLanguage = { findFlaw, formatSearch, namesOf };
