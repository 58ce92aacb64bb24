import { ChangeNote } from "../../platform/log/change-note.ts";
import { knownTopics } from "../send/known-topics.ts";
import type { Move } from "./move.ts";

/** A topic from which no message stayed behind. */
export type MovedTopic = Pick<Move, "from" | "to">;

/** The topics that a change moves as a whole, for hooks of modules that keep something for topics. */
export const movedTopics = new ChangeNote<readonly MovedTopic[]>();

/** What such a hook watches: the change has a patch of it. */
export const changedByMoves = [knownTopics.name];

/** How many things of a kind one move takes along. The rest stays with the old topic. */
export const MAX_TAKEN_ALONG = 500;
